#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import TestSupport

/// The sealed values of a store on a server.
@Suite struct ServerValueTests {
  private let bank: ServerStore

  init() throws {
    bank = try ServerStore()
    try bank.addVaults("Marker-8", "Marker-9")
  }

  private func primaryKey() throws -> String {
    let keys = try StoreInspection(path: bank.url).describe().ring?.keys ?? []
    return "\(try #require(keys.first { $0.purpose == .field && $0.state == .primary }).id)"
  }

  private func secrets(of store: ServerStore) throws -> [String] {
    let open = try store.open()
    defer { try? open.close() }
    return try open.read { _ in try Vault.fetchAll().map(\.secret).sorted() }
  }

  @Test func `entities and rows are shown, and sealed values with a secret alone`() throws {
    let status = try bank.nacre("status", unlock: [])
    #expect(status.status == 0, "\(status.complaint)")
    #expect(status.output.contains("\n  Vault  2 rows  sealed: "))
    let shown = try bank.nacre("inspect", "Vault", unlock: [])
    #expect(shown.status == 0, "\(shown.complaint)")
    #expect(shown.output.contains(/secret +‹sealed› xaes-256-gcm/))
    #expect(!shown.output.contains("Marker-8"))
    #expect(try bank.nacre("inspect", "Vault", "--reveal").output.contains("Marker-8"))
  }

  @Test func `a key that values name is kept, and one that none names can go`() throws {
    let first = try primaryKey()
    let added = try bank.nacre("key add")
    let id = String(try #require(added.output.firstMatch(of: /Added key ([0-9a-f]{8})/)).1)
    #expect(try bank.nacre("key promote", id).status == 0)
    let refused = try bank.nacre("key disable", first)
    #expect(refused.status == 31)
    #expect(refused.complaint.contains("Vault.secret 2"))
    #expect(try bank.nacre("key promote", first).status == 0)
    #expect(try bank.nacre("key disable", id).status == 0)
    #expect(try bank.nacre("key destroy", id, "--yes").status == 0)
    #expect(try secrets(of: bank) == ["Marker-8", "Marker-9"])
  }

  @Test func `the keys are rotated, and everything is verified`() throws {
    let former = try primaryKey()
    let outcome = try bank.nacre("rotate")
    #expect(outcome.status == 0, "\(outcome.complaint)")
    #expect(outcome.output.contains("Rotation finished\n"))
    let note =
      "may remain in the server's dead rows, which '--vacuum always' removes, write-ahead log"
    #expect(outcome.output.contains(note))
    #expect(try primaryKey() != former)
    #expect(try secrets(of: bank) == ["Marker-8", "Marker-9"])
    let verified = try bank.nacre("verify")
    #expect(verified.status == 0, "\(verified.complaint)")
    #expect(verified.output.contains("nothing is wrong."))
    let checked = try bank.nacre("check", unlock: [])
    #expect(checked.status == 0, "\(checked.complaint)")
    #expect(checked.output.contains("Nothing is wrong with the store.\n"))
  }

  @Test func `objects go by lines into another store`() throws {
    let lines = bank.directory.file("lines")
    #expect(try bank.nacre("export", "--reveal", "--output", lines).status == 0)
    let other = try ServerStore()
    // It has an object of its own already.
    try other.addVaults("Marker-7")
    let imported = try other.nacre("import", "--input", lines)
    #expect(imported.status == 0, "\(imported.complaint)")
    #expect(try secrets(of: other) == ["Marker-7", "Marker-8", "Marker-9"])
  }

  @Test func `objects go from a file to a server, and home into another file`() throws {
    let directory = bank.directory
    func unlocked(_ name: String) -> [String] { ["--key-file", directory.file(name + ".key")] }
    func run(_ words: String...) throws {
      let outcome = try BuiltProduct.nacre.run(words)
      #expect(outcome.status == 0, "\(words.first ?? ""): \(outcome.complaint)")
    }
    func open(_ name: String) throws -> Store {
      let key = Unlock.keyFile(directory.file(name + ".key"), createIfMissing: true)
      return try Store.open(directory.file(name + ".db"), unlock: key)
    }
    let file = try open("garage")
    let vault = Vault.create()
    (vault.label, vault.secret) = ("a label", "Marker-5")
    try file.save([vault])
    try file.close()
    let (up, down) = (directory.file("up.lines"), directory.file("down.lines"))
    let server = try ServerStore()
    let fileKey = unlocked("garage")
    try run(
      "export",
      directory.file("garage.db"),
      fileKey[0],
      fileKey[1],
      "--reveal",
      "--output",
      up
    )
    let imported = try server.nacre("import", "--input", up)
    #expect(imported.status == 0, "\(imported.complaint)")
    #expect(try server.nacre("verify").status == 0)
    #expect(try secrets(of: server) == ["Marker-5"])
    #expect(try server.nacre("export", "--reveal", "--output", down).status == 0)
    let homeKey = unlocked("home")
    try run("init", directory.file("home.db"), homeKey[0], homeKey[1])
    try run("import", directory.file("home.db"), homeKey[0], homeKey[1], "--input", down)
    try run("verify", directory.file("home.db"), homeKey[0], homeKey[1])
    let home = try open("home")
    let found = try home.read { _ in try Vault.fetchAll() }
    #expect(found.map(\.objectID) == [vault.objectID])
    #expect(found.map(\.secret) == ["Marker-5"] && found.map(\.label) == ["a label"])
    try home.close()
  }
}
#endif
