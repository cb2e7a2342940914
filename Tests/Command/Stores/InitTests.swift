import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import TestSupport
import Testing

@Suite struct InitTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("new.db") }

  init() throws { directory = try TemporaryDirectory() }

  private func initialize(
    _ arguments: String...,
    input: String = "",
    environment: [String: String] = [:]
  ) throws -> BuiltProduct.Outcome {
    try BuiltProduct.nacre.run(["init", path] + arguments, input: input, environment: environment)
  }

  private func mode(_ name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.file(name))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test func `a store and its key file are made for their owner alone`() throws {
    let outcome = try initialize("--key-file", directory.file("new.key"))
    #expect(outcome.status == 0)
    #expect(outcome.complaint == "")
    #expect(outcome.output.contains(/Made .*new\.db, store [0-9a-f]{32}\.\n/))
    #expect(outcome.output.contains(/Made the key file .*new\.key\./))
    #expect(try mode("new.db") == 0o600)
    #expect(try mode("new.key") == 0o600)
    let inspection = try StoreInspection(path: path, unlock: .keyFile(directory.file("new.key")))
    let ring = try #require(try inspection.describe().ring)
    #expect(ring.isVerified)
    #expect(ring.keys.allSatisfy { $0.suite == .xaes256GCM })
  }

  @Test func `the URL of a server is refused before anything is asked or made`() throws {
    let outcome = try BuiltProduct.nacre.run([
      "init", "postgresql://ada:Marker-9@db.example/x", "--key-file", directory.file("new.key"),
    ])
    #expect(outcome.status == 64)
    #expect(!outcome.complaint.contains("Marker-9"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  @Test func `an existing key file is used as it is`() throws {
    let text = "NACRE-KEY-1 \(Bank.keyHex)\n"
    let key = directory.file("old.key")
    #expect(FileManager.default.createFile(atPath: key, contents: Data(text.utf8)))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    let outcome = try initialize("--key-file", key)
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("Made the key file"))
    #expect(try directory.bytes("old.key") == Data(text.utf8))
  }

  @Test func `a store is made with every other way to unlock`() throws {
    let variable = ["KEY": Bank.keyHex]
    #expect(try initialize("--key-env", "KEY", environment: variable).status == 0)
    try Store.delete(at: path)
    #expect(try initialize("--key-command", "echo \(Bank.keyHex)").status == 0)
    try Store.delete(at: path)
    #expect(try initialize("--passphrase-fd", "0", input: Bank.passphrase).status == 0)
    _ = try StoreInspection(path: path, unlock: .passphrase(Bank.passphrase))
  }

  @Test func `the suite can be chosen`() throws {
    let outcome = try initialize("--suite", "aes-256-gcm", "--key-file", directory.file("a.key"))
    #expect(outcome.status == 0)
    let keys = try StoreInspection(path: path).describe().ring?.keys ?? []
    #expect(keys.contains { $0.purpose == .field && $0.suite == .aes256GCM })
  }

  @Test(arguments: ["", "another file"])
  func `an existing file is refused, and no key file made`(text: String) throws {
    #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
    let outcome = try initialize("--key-file", directory.file("new.key"))
    #expect(outcome.status == 60)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.output == "")
    #expect(try directory.bytes("new.db") == Data(text.utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["new.db"])
  }

  @Test func `a store is never made without its secret`() throws {
    #expect(try initialize().status == 64)
    #expect(try initialize("--key-env", "MISSING").status == 21)
    #expect(try initialize("--passphrase-fd", "0", input: "\n").status == 21)
    #expect(try initialize("--key-file", directory.file("none/new.key")).status == 21)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  @Test func `no folder is made on the way`() throws {
    let outcome = try BuiltProduct.nacre.run(
      ["init", directory.file("typo/new.db"), "--key-file", directory.file("new.key")]
    )
    #expect(outcome.status == 10)
    #expect(outcome.complainsInOneLine)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }
}
