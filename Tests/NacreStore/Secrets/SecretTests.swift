import Foundation
import NacreCore
import NacreCrypto
import NacreSQLite
import Testing
@testable import TestSupport

/// Opening with a secret that is wrong, missing, malformed or exposed.
@Suite struct SecretTests {
  /// A closed store with one sealed value, made with `unlock`.
  private func stored(_ unlock: Unlock = Scene.unlock) throws -> Scene {
    let scene = try Scene()
    let store = try scene.open(unlock)
    let vault = Vault.create()
    vault.secret = Marker.text
    try scene.save(vault, in: store)
    try store.close()
    return scene
  }

  /// Opening must fail with `code` and leave every file as it was.
  private func expectRefused(
    _ code: NacreError.Code,
    _ scene: Scene,
    _ unlock: Unlock,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try scene.fileBytes()
    expectError(code, sourceLocation: sourceLocation) { _ = try scene.open(unlock) }
    #expect(try scene.fileBytes() == before, sourceLocation: sourceLocation)
  }

  private func keyFile(
    _ scene: Scene,
    _ text: String,
    mode: Int = 0o600,
    name: String = "k.key"
  ) throws -> String {
    let path = scene.directory.file(name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  @Test func `a wrong secret of 32 bytes opens nothing and changes nothing`() throws {
    let scene = try stored()
    try expectRefused(.wrongSecret, scene, Scene.wrong)
    let store = try scene.open()
    #expect(try store.read { _ in try Vault.fetchOne()?.secret } == Marker.text)
  }

  @Test func `a wrong key file is a wrong secret and no bad key file`() throws {
    let scene = try stored()
    let path = try keyFile(scene, "NACRE-KEY-1 \(Scene.otherHex)\n")
    try expectRefused(.wrongSecret, scene, .keyFile(path))
  }

  @Test func `a wrong variable, command and passphrase are wrong secrets`() throws {
    let scene = try stored()
    setenv("NACRE_TEST_WRONG", Scene.otherHex, 1)
    try expectRefused(.wrongSecret, scene, .environment("NACRE_TEST_WRONG"))
    try expectRefused(.wrongSecret, scene, .command("echo \(Scene.otherHex)"))
    try expectRefused(.wrongSecret, scene, .passphrase("a guess"))
    let phrased = try stored(.passphrase("correct horse"))
    try expectRefused(.wrongSecret, phrased, .passphrase("correct hors"))
    try expectRefused(.wrongSecret, phrased, Scene.unlock)
    let store = try phrased.open(.passphrase("correct horse"))
    #expect(try store.read { _ in try Vault.fetchOne()?.secret } == Marker.text)
  }

  @Test func `the right secret comes from every source`() throws {
    let scene = try stored()
    setenv("NACRE_TEST_RIGHT", Scene.keyHex + "\n", 1)
    let path = try keyFile(scene, "# c\r\n\r\nNACRE-KEY-1 \(Scene.keyHex.uppercased())\r\n")
    let sources: [Unlock] = [
      .environment("NACRE_TEST_RIGHT"), .command("printf %s \(Scene.keyHex)"), .keyFile(path),
    ]
    for source in sources {
      let store = try scene.open(source)
      #expect(try store.read { _ in try Vault.fetchOne()?.secret } == Marker.text)
      try store.close()
    }
  }

  @Test func `a source that gives nothing usable is a bad secret`() throws {
    let scene = try stored()
    unsetenv("NACRE_TEST_UNSET")
    setenv("NACRE_TEST_SHORT", String(Scene.keyHex.dropLast()), 1)
    setenv("NACRE_TEST_DIGITS", "g" + Scene.keyHex.dropFirst(), 1)
    let sources: [Unlock] = [
      .environment("NACRE_TEST_UNSET"), .environment("NACRE_TEST_SHORT"),
      .environment("NACRE_TEST_DIGITS"), .command("exit 3"),
      .command("echo \(Scene.keyHex); exit 1"),
      .command("true"), .passphrase(""), .callback { try SecretBytes(random: 31) },
    ]
    for source in sources { try expectRefused(.badSecret, scene, source) }
  }

  @Test func `an error of the callback's own comes through as it is`() throws {
    struct Outage: Error {}
    let scene = try stored()
    #expect(throws: Outage.self) { _ = try scene.open(.callback { throw Outage() }) }
  }

  @Test func `a missing key file is never made for a store that has a ring`() throws {
    let scene = try stored()
    let path = scene.directory.file("lost.key")
    try expectRefused(.badKeyFile, scene, .keyFile(path, createIfMissing: true))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a key file is made with mode 0600 and never overwritten`() throws {
    let scene = try Scene()
    let path = scene.directory.file("new.key")
    try scene.open(.keyFile(path, createIfMissing: true)).close()
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let bytes = try scene.directory.bytes("new.key")
    let second = try Scene()
    try second.open(.keyFile(path, createIfMissing: true)).close()
    #expect(try scene.directory.bytes("new.key") == bytes)
    try scene.open(.keyFile(path)).close()
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o644, 0o666])
  func `a key file that others can reach is refused`(_ mode: Int) throws {
    let scene = try stored()
    let path = try keyFile(scene, "NACRE-KEY-1 \(Scene.keyHex)\n", mode: mode)
    try expectRefused(.badKeyFile, scene, .keyFile(path))
  }

  @Test(arguments: [
    "", "\n", "# only a comment\n", "NACRE-KEY-1 KEY\r", "\u{FEFF}NACRE-KEY-1 KEY\n",
    " NACRE-KEY-1 KEY\n", "NACRE-KEY-1 KEY \n", "NACRE-KEY-1  KEY\n", "NACRE-KEY-1 KEY\n \n",
    "NACRE-KEY-1 KEY\nNACRE-KEY-1 KEY\n", "NACRE-KEY-2 KEY\n", "nacre-key-1 KEY\n", "KEY\n",
    "NACRE-KEY-1 KEY0\n", "NACRE-KEY-1 KEY\r\r\n", "NACRE-KEY-1\tKEY\n", "\rNACRE-KEY-1 KEY\n",
    "NACRE-KEY-1 KEY\0\n", "#\rNACRE-KEY-1 KEY\n",
  ])
  func `a malformed key file is refused as such`(_ text: String) throws {
    let scene = try stored()
    let path = try keyFile(
      scene,
      text.replacingOccurrences(of: "KEY\n", with: Scene.keyHex + "\n")
        .replacingOccurrences(of: "KEY\r", with: Scene.keyHex + "\r")
        .replacingOccurrences(of: "KEY0", with: Scene.keyHex + "0")
        .replacingOccurrences(of: "KEY ", with: Scene.keyHex + " ")
        .replacingOccurrences(of: "KEY\0", with: Scene.keyHex + "\0")
    )
    try expectRefused(.badKeyFile, scene, .keyFile(path))
  }

  @Test(arguments: ["NACRE-KEY-1 KEY", "NACRE-KEY-1 KEY\r\n", "#\r\nNACRE-KEY-1 KEY\n\n\r\n#"])
  func `a key file may lack its last line's end and have CRLF`(_ text: String) throws {
    let scene = try stored()
    let whole = text.replacingOccurrences(of: "1 KEY", with: "1 " + Scene.keyHex)
    try scene.open(.keyFile(keyFile(scene, whole))).close()
  }

  @Test func `a directory, a pipe and a huge file are no key files`() throws {
    let scene = try stored()
    try expectRefused(.badKeyFile, scene, .keyFile(scene.directory.path))
    let other = try TemporaryDirectory()
    #expect(mkfifo(other.file("pipe"), 0o600) == 0)
    try expectRefused(.badKeyFile, scene, .keyFile(other.file("pipe")))
    let huge = String(repeating: "#\n", count: 20_000) + "NACRE-KEY-1 \(Scene.keyHex)\n"
    try expectRefused(.badKeyFile, scene, .keyFile(keyFile(scene, huge)))
  }

  @Test func `a sealed property in a store without a ring is refused at save and at fetch`() throws
  {
    let scene = try Scene()
    let store = try scene.open(nil)
    let person = Person.create()
    person.code = "p"
    try scene.save(person, in: store)
    person.name = Marker.text
    expectError(.noKeyRing, entity: "Person", property: "name", objectID: person.objectID) {
      try person.save()
    }
    #expect(person.hasChanges)
    _ = try scene.edit(
      "UPDATE Person SET name = ?1",
      .blob(Data(repeating: 1, count: 60))
    )
    try store.read { _ in
      expectError(.noKeyRing, entity: "Person", property: "name", objectID: person.objectID) {
        _ = try Person.fetchAll()
      }
    }
  }

  @Test func `a locked store reads and writes what is plain and refuses what is sealed`() throws {
    let scene = try stored()
    let store = try scene.open(nil)
    let id = try #require(try store.read { _ in try Vault.fetchValues(\.objectID).first })
    try store.read { (_) throws in
      expectError(.storeLocked, entity: "Vault", property: "secret", objectID: id) {
        _ = try Vault.fetchAll()
      }
      expectError(.storeLocked, entity: "Vault", property: "secret", objectID: id) {
        _ = try Vault.fetchValues(\.secret)
      }
      #expect(try Vault.fetchValues(\.label) == [""])
    }
    let vault = Vault.create()
    expectError(.storeLocked, entity: "Vault", property: "secret", objectID: vault.objectID) {
      try scene.save(vault, in: store)
    }
    // Its table would be new in the catalog, which the secret authenticates.
    expectError(.storeLocked) { try scene.save(Node.create(), in: store) }
    let unlocked = try scene.open()
    #expect(try unlocked.read { _ in try Node.count() } == 0)
    try unlocked.close()
    try scene.save(Node.create(), in: store)
    #expect(try store.read { _ in try Node.count() } == 1)
    #expect(try store.read { _ in try Vault.count() } == 1)
  }
}
