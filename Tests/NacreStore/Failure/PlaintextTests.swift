import Foundation
import NacreCore
import NacreSQLite
import Synchronization
import Testing
@testable import TestSupport

/// No byte of a sealed value or of a key lies in a file, a message or a log.
@Suite struct PlaintextTests {
  private struct Stop: Error {}

  private func expectClean(
    _ scene: Scene,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let key = try Scene.secret(Scene.keyHex).withUnsafeBytes { Data($0) }
    for (name, bytes) in try scene.fileBytes() {
      for marker in [Data("MARKER".utf8), Data("5up3r".utf8), key, Data(Scene.keyHex.utf8)] {
        #expect(bytes.range(of: marker) == nil, "\(name)", sourceLocation: sourceLocation)
      }
    }
    let size = try scene.fileBytes().values.reduce(0) { $0 + $1.count }
    #expect(size > 4096, sourceLocation: sourceLocation)
  }

  private func vault(_ number: Int) -> Vault {
    let vault = Vault.create()
    vault.label = "plain-\(number)"
    vault.secret = Marker.text + "\(number)"
    vault.other = String(repeating: Marker.text, count: 300)
    vault.data = Data((Marker.text + "-data").utf8)
    vault.note = Marker.text
    return vault
  }

  @Test func `no plaintext lies in the file, its log or its index`() throws {
    let scene = try Scene()
    let store = try scene.open()
    let vaults = (0..<50).map { vault($0) }
    try store.write { _ in for vault in vaults { try vault.save() } }
    try expectClean(scene)
    for vault in vaults {
      vault.secret += "-MARKER-2"
      vault.note = nil
      try vault.save()
    }
    try expectClean(scene)
    #expect(throws: Stop.self) {
      try store.write { database in
        try database.execute("PRAGMA cache_size = 2")
        for number in 100..<200 { try vault(number).save() }
        try expectClean(scene)
        throw Stop()
      }
    }
    try expectClean(scene)
    try store.read { (_) throws in
      #expect(try Vault.fetchAll(orderBy: "label DESC").count == 50)
      #expect(
        try Vault.fetchValues(\.secret, where: "label = ?", "plain-7").first?.hasPrefix("MARKER")
          == true
      )
    }
    for vault in vaults.prefix(25) { try vault.delete() }
    try store.write { try $0.execute("DELETE FROM Vault WHERE label LIKE 'plain-4%'") }
    try expectClean(scene)
    try store.backup(to: scene.directory.file("backup.db"))
    try store.close()
    try expectClean(scene)
    #expect(try scene.directory.bytes("store.db").range(of: Data("plain-".utf8)) != nil)
  }

  @Test func `the trace shows statements and never an argument`() throws {
    let lines = Mutex<[String]>([])
    let scene = try Scene()
    let store = try scene.open { options in
      options.trace = { event in
        let line =
          switch event {
          case .statement(let sql), .profile(let sql, _): sql
          }
        lines.withLock { $0.append(line) }
      }
    }
    let vault = vault(1)
    try scene.save(vault, in: store)
    vault.secret = "MARKER-updated"
    try vault.save()
    try store.read { database in
      _ = try Vault.fetchAll(where: "label = ?", "MARKER-argument")
      _ = try database.query("SELECT ?", "MARKER-argument")
    }
    let shown = lines.withLock { $0 }
    #expect(shown.contains { $0.contains("INSERT INTO \"Vault\"") })
    for line in shown { Marker.expectAbsent(line) }
  }

  @Test func `errors of statements show their text and never an argument`() throws {
    let scene = try Scene()
    let store = try scene.open()
    try scene.save(vault(1), in: store)
    try store.write { database in
      try database.execute("CREATE TABLE u (a TEXT UNIQUE CHECK (a <> 'x'))")
      try database.execute("INSERT INTO u VALUES (?)", Marker.text)
      expectError(.constraint) { try database.execute("INSERT INTO u VALUES (?)", Marker.text) }
      expectError(.badStatement) { _ = try database.query("SELECT json(?)", Marker.text) }
      expectError(.badStatement) {
        _ = try database.query("SELECT json_extract('{}', ?)", Marker.text)
      }
      expectError(.badStatement) { try database.execute("SELECT ? FROM nonesuch", Marker.text) }
      try database.execute("DROP TABLE u")
    }
  }
}
