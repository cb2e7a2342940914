import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import Testing
@testable import TestSupport

/// A store with two vaults and a car, closed, and its key file.
private struct Closed {
  let directory: TemporaryDirectory
  var path: String { directory.file("store.db") }
  var unlock: Unlock { .keyFile(directory.file("store.key")) }
  static let secrets = ["a first secret", "a second secret"]

  init() throws {
    let test = try TestStore()
    directory = test.directory
    try test.store.write { _ in
      for secret in Self.secrets {
        let vault = Vault.create()
        vault.label = "vault of " + secret.split(separator: " ")[1]
        vault.secret = secret
        vault.number = secret.count
        try test.store.save(vault)
      }
    }
    try test.store.close()
  }

  /// Changes the file with plain SQL.
  func change(_ sql: String) throws {
    let store = try Store.open(path)
    try store.write { try $0.execute(sql) }
    try store.close()
  }

  func inspect(_ unlock: Unlock? = nil) throws -> StoreInspection {
    try StoreInspection(path: path, unlock: unlock)
  }

  func vaults(_ unlock: Unlock?) throws -> [InspectedRow] {
    var rows: [InspectedRow] = []
    try inspect(unlock).rows(of: "Vault", limit: 9, opensSealed: unlock != nil) { rows.append($0) }
    return rows
  }
}

extension Store {
  fileprivate func save(_ object: some Entity) throws {
    try write { _ in try object.save() }
  }
}

extension InspectedRow {
  fileprivate func content(_ name: String) throws -> Content {
    try #require(cells.first { $0.property.name == name }).content
  }
}

extension InspectedRow.Content {
  fileprivate var plain: Value? { if case .plain(let value) = self { value } else { nil } }
  fileprivate var opened: Value? { if case .opened(let value) = self { value } else { nil } }
  fileprivate var sealed: SealedDescription? {
    if case .sealed(let sealed) = self { sealed } else { nil }
  }
  fileprivate var failure: NacreError? {
    if case .failed(_, let error) = self { error } else { nil }
  }
}

@Suite struct StoreInspectionTests {
  @Test func `a store describes itself without a secret`() throws {
    let closed = try Closed()
    let description = try closed.inspect().describe()
    #expect(description.path == closed.path)
    #expect(description.format == 1)
    let ring = try #require(description.ring)
    #expect(ring.generation == 1)
    #expect(!ring.isVerified)
    #expect(Set(ring.keys.map(\.purpose)) == [.field, .index])
    #expect(ring.keys.allSatisfy { $0.state == .primary && $0.suite == .xaes256GCM })
    #expect(ring.keys.allSatisfy { abs($0.created.timeIntervalSinceNow) < 600 })
    #expect(description.slots.map(\.kind) == ["secret"])
    let vault = try #require(description.entities.first { $0.name == "Vault" })
    #expect(vault.table == "Vault")
    #expect(vault.rowCount == 2)
    let secret = try #require(vault.properties.first { $0.name == "secret" })
    #expect(secret.isSealed)
    #expect(secret.type == "TEXT")
    #expect(secret.kind == "value")
  }

  @Test func `a relationship names its target and where it is stored`() throws {
    let test = try TestStore()
    try test.store.save(Car.create())
    let description = try test.store.inspect()
    let car = try #require(description.entities.first { $0.name == "Car" })
    let spare = try #require(car.properties.first { $0.name == "spare" })
    #expect(spare.kind == "child")
    #expect(spare.target == "Wheel")
    let wheels = try #require(car.properties.first { $0.name == "wheels" })
    #expect(wheels.kind == "children")
    #expect(wheels.column == nil)
    #expect(wheels.joinTable == "Car_wheels")
    #expect(description.ring?.isVerified == true)
  }

  @Test func `the ring is verified when a secret unlocks it`() throws {
    let closed = try Closed()
    #expect(try closed.inspect(closed.unlock).describe().ring?.isVerified == true)
    try closed.change("UPDATE nacre_key SET state = 3")
    expect(throws: .ringTampered) { try closed.inspect(closed.unlock) }
    #expect(try closed.inspect().describe().ring?.keys.allSatisfy { $0.state == .enabled } == true)
  }

  @Test func `sealed values stay sealed unless they are asked for`() throws {
    let closed = try Closed()
    let key = try closed.inspect().describe().ring?.keys.first { $0.purpose == .field }
    let row = try #require(try closed.vaults(nil).first)
    #expect(try row.content("label").plain == "vault of first")
    let sealed = try #require(try row.content("secret").sealed)
    #expect(sealed.header?.suite == .xaes256GCM)
    #expect(sealed.header?.keyID == key?.id)
    #expect(sealed.byteCount == 45 + 1 + Closed.secrets[0].utf8.count)
    #expect(try row.content("note").plain == .null)
  }

  @Test func `sealed values open by the catalog alone`() throws {
    let closed = try Closed()
    let rows = try closed.vaults(closed.unlock)
    #expect(try rows.map { try $0.content("secret").opened } == Closed.secrets.map { .text($0) })
    #expect(try rows.map { try $0.content("number").opened } == [14, 15])
    #expect(try rows.map { try $0.content("real").opened } == [0.0, 0.0])
    #expect(try rows.map { try $0.content("data").opened } == [.blob(Data()), .blob(Data())])
  }

  @Test func `a value that does not open is told beside those that do`() throws {
    let closed = try Closed()
    try closed.change("UPDATE Vault SET secret = (SELECT max(v.secret) FROM Vault v)")
    let rows = try closed.vaults(closed.unlock)
    let failures = try rows.compactMap { try $0.content("secret").failure }
    #expect(failures.map(\.code) == [.tampered])
    #expect(failures.first?.entity == "Vault")
    #expect(failures.first?.property == "secret")
    #expect(failures.first?.objectID != nil)
    #expect(try rows.allSatisfy { try $0.content("number").opened != nil })
  }

  @Test func `plaintext in a sealed column is not shown`() throws {
    let closed = try Closed()
    try closed.change("UPDATE Vault SET secret = 'laid bare', other = x'0102'")
    let sealed = try #require(try closed.vaults(nil).first)
    #expect(try sealed.content("secret").sealed?.header == nil)
    #expect(try sealed.content("secret").sealed?.byteCount == 9)
    let opened = try #require(try closed.vaults(closed.unlock).first)
    #expect(try opened.content("secret").failure?.code == .notAnEnvelope)
    #expect(try opened.content("other").failure?.code == .notAnEnvelope)
  }

  @Test func `a reader sees what others have committed meanwhile`() throws {
    let test = try TestStore()
    try test.store.save(Vault.create())
    let inspection = try StoreInspection(path: test.store.path)
    #expect(try inspection.entity(named: "Vault").rowCount == 1)
    try test.store.save(Vault.create())
    #expect(try inspection.entity(named: "Vault").rowCount == 2)
  }

  @Test func `the limit is kept and rows come in the order of their identifiers`() throws {
    let test = try TestStore()
    for _ in 0..<5 { try test.store.save(Vault.create()) }
    let inspection = try StoreInspection(path: test.store.path)
    var identifiers: [UUID] = []
    try inspection.rows(of: "Vault", limit: 3) { identifiers.append($0.objectID) }
    #expect(identifiers.count == 3)
    #expect(identifiers == identifiers.sorted { $0.uuidString < $1.uuidString })
  }
}

@Suite struct RefusedInspectionTests {
  @Test func `no file is made where none is`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("sub/typo.db")
    expect(throws: .cannotOpen) { try StoreInspection(path: path) }
    expect(throws: .cannotOpen) {
      try StoreInspection(path: directory.file("typo.db"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  @Test(arguments: ["", "not a database at all, however long it is"])
  func `a file that is no store is refused and stays as it is`(text: String) throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.db")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    expect(throws: .notAStore) { try StoreInspection(path: path) }
    #expect(try directory.bytes("a.db") == Data(text.utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.db"])
  }

  @Test func `a directory is refused`() throws {
    let directory = try TemporaryDirectory()
    expect(throws: .cannotOpen) { try StoreInspection(path: directory.path) }
  }

  @Test func `a wrong secret is refused`() throws {
    let closed = try Closed()
    let wrong = Unlock.callback { try SecretBytes(random: 32) }
    expect(throws: .wrongSecret) { try closed.inspect(wrong) }
  }

  @Test func `a secret for a store without a ring makes none`() throws {
    let test = try TestStore(isSealed: false)
    let path = test.store.path
    let secret = Unlock.callback { try SecretBytes(random: 32) }
    expect(throws: .noKeyRing) { try StoreInspection(path: path, unlock: secret) }
    let description = try StoreInspection(path: path).describe()
    #expect(description.ring == nil)
    #expect(description.slots.isEmpty)
  }

  @Test func `sealed values of a locked store can't be asked for`() throws {
    let inspection = try Closed().inspect()
    expect(throws: .storeLocked) {
      try inspection.rows(of: "Vault", limit: 1, opensSealed: true) { _ in }
    }
  }

  @Test func `an entity that is not in the catalog is refused`() throws {
    let inspection = try Closed().inspect()
    expect(throws: .noSuchEntity) { try inspection.entity(named: "nacre_key") }
    expect(throws: .noSuchEntity) {
      try inspection.rows(of: "Vault\" --", limit: 1) { _ in }
    }
  }

  @Test(arguments: [
    "UPDATE nacre_entity SET \"table\" = 'gone' WHERE name = 'Vault'",
    "UPDATE nacre_property SET \"column\" = 'gone' WHERE name = 'label'",
  ])
  func `a catalog that names what is not there is told`(sql: String) throws {
    let closed = try Closed()
    try closed.change(sql)
    expect(throws: .schemaMismatch) { try closed.vaults(nil) }
  }

  @Test func `a later format is refused`() throws {
    let closed = try Closed()
    try closed.change("UPDATE nacre_store SET value = 3 WHERE name = 'format'")
    expect(throws: .newerFormat) { try closed.inspect() }
  }

  @Test func `inspecting leaves every byte of the store as it was`() throws {
    let closed = try Closed()
    let before = try closed.directory.bytes("store.db")
    _ = try closed.inspect(closed.unlock).describe()
    _ = try closed.vaults(closed.unlock)
    #expect(try closed.directory.bytes("store.db") == before)
  }
}

/// Expects a ``NacreError`` of a code from `body`.
private func expect<T>(
  throws code: NacreError.Code,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> T
) {
  let error = #expect(throws: NacreError.self, sourceLocation: sourceLocation) { _ = try body() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
}
