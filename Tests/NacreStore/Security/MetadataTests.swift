import Foundation
import NacreCore
import NacreCrypto
import NacreUpkeep
import Testing
@testable import TestSupport

/// The facts about sealed values that the file shows without a key, as SECURITY.md says it.
@Suite struct MetadataTests {
  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open()
  }

  private func vault(_ secret: String, _ number: Int = 0) -> Vault {
    let vault = Vault.create()
    vault.secret = secret
    vault.number = number
    vault.real = Double(number)
    return vault
  }

  @Test func `the length of a text shows, to the byte, and that of a number does not`() throws {
    for text in ["", "x", "grüße", String(repeating: "y", count: 1000)] {
      try store.write { _ in _ = try Vault.truncate() }
      try scene.save(vault(text, text.utf8.count), in: store)
      let rows = try scene.edit("SELECT length(secret), length(number), length(real) FROM Vault")
      #expect(rows == [[.integer(Int64(text.utf8.count) + 46), .integer(54), .integer(54)]])
    }
  }

  @Test func `equal values look different in every row and after every save`() throws {
    let vaults = (0..<20).map { _ in vault(Marker.text) }
    try store.write { _ in for vault in vaults { try vault.save() } }
    let ciphertext = "substr(secret, 30)"
    #expect(
      try scene.edit("SELECT count(DISTINCT \(ciphertext)) FROM Vault") == [[.integer(20)]]
    )
    let before = try scene.edit("SELECT \(ciphertext) FROM Vault ORDER BY objectID")
    for vault in vaults { vault.secret = Marker.text }
    try store.write { _ in for vault in vaults { try vault.save() } }
    let after = try scene.edit("SELECT \(ciphertext) FROM Vault ORDER BY objectID")
    #expect(Set(before).isDisjoint(with: after))
  }

  @Test func `values that were sealed in one transaction share half of a nonce`() throws {
    for count in [3, 4] {
      try store.write { _ in for _ in 0..<count { try vault("x").save() } }
    }
    let counts = try scene.edit(
      "SELECT count(*) FROM Vault GROUP BY substr(secret, 6, 12) ORDER BY 1"
    )
    #expect(counts == [[.integer(3)], [.integer(4)]])
    #expect(
      try scene.edit("SELECT count(DISTINCT substr(secret, 18, 12)) FROM Vault") == [[.integer(7)]]
    )
  }

  @Test func `nil shows, and so does everything that is not sealed`() throws {
    let vault = vault(Marker.text)
    vault.label = "in the clear"
    try scene.save(vault, in: store)
    #expect(try scene.edit("SELECT label, note FROM Vault") == [["in the clear", .null]])
    try store.close()
    let bytes = try scene.directory.bytes("store.db")
    for name in ["in the clear", "Vault", "secret", "number"] {
      #expect(bytes.range(of: Data(name.utf8)) != nil)
    }
  }

  @Test func `an objectID of version 7 shows when it was made`() throws {
    let before = UInt64(Date().timeIntervalSince1970 * 1000)
    let bytes = Vault.create().objectID.uuid
    let after = UInt64(Date().timeIntervalSince1970 * 1000)
    let milliseconds = [bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5]
      .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    #expect(bytes.6 >> 4 == 7)
    // Another test's identifiers may have pushed the clock of this process forward, by 1/4096 ms each.
    #expect(milliseconds >= before && milliseconds <= after + 1000)
  }

  @Test func `values that raw SQL writes are plain, and not taken for sealed`() throws {
    try scene.save(vault("x"), in: store)
    try store.write { _ = try $0.execute("UPDATE Vault SET secret = ?", "in the clear") }
    try store.read { _ in
      expectError(.notAnEnvelope, entity: "Vault", property: "secret") {
        _ = try Vault.fetchOne()
      }
    }
    try store.close()
    #expect(try scene.directory.bytes("store.db").range(of: Data("in the clear".utf8)) != nil)
  }

  @Test func `closing a store overwrites deleted and replaced values in the file`() throws {
    let vaults = (0..<50).map { vault("\(Marker.text)-\($0)") }
    try store.write { _ in for vault in vaults { try vault.save() } }
    let envelopes = try scene.edit("SELECT secret FROM Vault").map { $0[0] }
    for (index, vault) in vaults.enumerated() {
      vault.secret = "MARKER-other"
      if index.isMultiple(of: 2) { try vault.delete() } else { try vault.save() }
    }
    try store.close()
    let files = try scene.fileBytes()
    #expect(files["store.db-wal"] == nil)
    let bytes = try #require(files["store.db"])
    for case .blob(let envelope) in envelopes {
      #expect(bytes.range(of: envelope.dropFirst(17)) == nil)
    }
  }

  @Test func `the file, its log and a backup can be read by their owner only`() throws {
    try scene.save(vault("x"), in: store)
    try store.backup(to: scene.directory.file("backup.db"))
    let names = try scene.fileBytes().keys
    #expect(Set(names).isSuperset(of: ["store.db", "store.db-wal", "store.db-shm", "backup.db"]))
    for name in names {
      let path = scene.directory.file(name)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }

  @Test func `an index rotation makes another blur, so that two copies show more than one`() throws
  {
    try store.write { _ in
      for index in 0..<200 {
        try Badge.make("\(index)") {
          $0.email = index == 0 ? "1@example.org" : "\(index)@example.org"
        }
        .save()
      }
    }
    func pairs() throws -> Set<[String]> {
      var labels: [Value: [String]] = [:]
      for row in try scene.edit("SELECT email__index, label FROM Badge ORDER BY label") {
        if case .text(let label) = row[1] { labels[row[0], default: []].append(label) }
      }
      return Set(labels.values.flatMap { equal in equal.flatMap { a in equal.map { [a, $0] } } })
        .filter { $0[0] < $0[1] }
    }
    let before = try pairs()
    var options = RotationOptions()
    options.purposes = [.index]
    #expect(try store.rotate(options).outcome == .finished)
    let after = try pairs()
    // 78 pairs of 8 bits meet by chance; those of equal values always do, and hardly another one twice.
    #expect(before.count > 20 && after.count > 20)
    #expect(before.intersection(after).contains(["0", "1"]))
    #expect(before.intersection(after).count < 10)
  }
}
