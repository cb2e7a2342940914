import Foundation
import NacreCore
import NacreCrypto
import Testing
@testable import TestSupport

/// Quotes, statements and NUL bytes in every string that reaches SQL.
@Suite struct InjectionTests {
  private static let texts = [
    "'", "\"", "''", "\"\"", "'; DROP TABLE Wheel; --", "x' OR '1'='1", "\" OR 1=1 --", "`", "]",
    "a\(TestPlace.nul)b", TestPlace.nul, "a\(TestPlace.nul)' OR 1=1 --", "?", "?1", ":a", "%s",
    "\\", "\u{FEFF}", "日本\u{301}", "--",
    "/*",
  ]

  @Test(arguments: texts)
  func `a value with SQL in it stays a value wherever it stands`(_ text: String) throws {
    let scene = try Scene()
    let store = try scene.open()
    let (car, other, wheel) = (Car.create(), Car.create(), Wheel.create())
    car.name = text
    car.vin = text
    wheel.note = text
    car.wheels = [wheel]
    other.name = "other"
    try scene.save(car, in: store)
    try scene.save(other, in: store)
    try store.read { (database) throws in
      #expect(try Car.fetchOne(\.name, equals: text)?.objectID == car.objectID)
      #expect(try Car.fetchAll(where: "name = ?", text).map(\.objectID) == [car.objectID])
      #expect(try Car.count(where: "name IS ?", text) == 1)
      #expect(try Car.fetchValues(\.name, where: "name = ?", text) == [text])
      #expect(try Car.fetch(id: car.objectID)?.vin == text)
      #expect(try Car.fetch(id: car.objectID)?.wheels.first?.note == text)
      #expect(try Car.cursor(where: "name = ?", text).next()?.name == text)
      #expect(try database.query("SELECT ?", text) == [[.text(text)]])
      #expect(
        try database.query("SELECT name FROM \"Car\" WHERE name = ?", text) == [[.text(text)]]
      )
    }
    try store.write { (_) throws in
      #expect(try Car.deleteAll(where: "name = ?", text) == 1)
      #expect(try Car.count() == 1)
      #expect(try Wheel.count() == 1)
    }
  }

  @Test(.sqliteOnly("its names have more than the 63 bytes of a name on a server"))
  func `names of entities, tables, columns and properties are quoted`() throws {
    let scene = try Scene()
    let store = try scene.open()
    let quoted = Quoted.create()
    quoted.sealed = Marker.text
    quoted.child = Wheel.create()
    quoted.children = [Wheel.create(), Wheel.create()]
    try scene.save(quoted, in: store)
    try store.close()
    let again = try scene.open()
    try again.write { _ in
      let fetched = try #require(try Quoted.fetchOne(\.text, equals: #"d'"; --"#))
      #expect(fetched.sealed == Marker.text)
      #expect(fetched.children.count == 2)
      #expect(fetched.child != nil)
      #expect(fetched.zero == "a\(TestPlace.nul)b")
      fetched.text = "changed"
      fetched.children.removeFirst()
      try fetched.save()
    }
    try again.write { _ in
      let fetched = try #require(try Quoted.fetchOne(\.text, equals: "changed"))
      #expect(try fetched.deletionPlan().count == 3)
      try fetched.delete(cascade: true)
    }
    #expect(try again.read { _ in try Wheel.count() } == 1)
    let double = Quoted.create()
    let twin = Quoted.create()
    try scene.save(double, in: again)
    expectError(.constraint, entity: "e" + Quoted.evil, property: "p" + Quoted.evil) {
      try scene.save(twin, in: again)
    }
    try again.read { _ in
      expectError(.sealedCondition, property: "s" + Quoted.evil) {
        let column = "s" + Quoted.evil.replacingOccurrences(of: "\"", with: "\"\"")
        _ = try Quoted.fetchAll(where: "\"\(column)\" = ?", "x")
      }
    }
  }

  @Test func `a second statement in a condition or order is refused`() throws {
    let scene = try Scene()
    let store = try scene.open()
    try scene.save(Wheel.create(), in: store)
    try store.read { _ in
      for evil in ["1; DROP TABLE Wheel", "1); DELETE FROM Wheel; --", "'", "\"", "1 \0", "", ")"] {
        expectError(.badStatement) { _ = try Wheel.fetchAll(where: evil) }
        expectError(.badStatement) { _ = try Wheel.count(where: evil) }
        expectError(.badStatement) { _ = try Wheel.fetchValues(\.size, where: evil) }
        expectError(.badStatement) { _ = try Wheel.cursor(where: evil).next() }
      }
      for evil in ["size; DROP TABLE Wheel", "'", "size) --", "size \0"] {
        expectError(.badStatement) { _ = try Wheel.fetchAll(orderBy: evil) }
      }
    }
    try store.write { (_) throws in
      expectError(.badStatement) { _ = try Wheel.deleteAll(where: "1; DROP TABLE Wheel") }
      #expect(try Wheel.count() == 1)
    }
  }

  @Test func `a comment at the end of a condition swallows nothing`() throws {
    let scene = try Scene()
    let store = try scene.open()
    for _ in 0..<3 { try scene.save(Wheel.create(), in: store) }
    try store.read { (_) throws in
      #expect(
        try Wheel.fetchAll(where: "1 -- all", orderBy: "size -- x", page: 0, size: 2).count == 2
      )
      #expect(try Wheel.fetchOne(where: "1 -- all") != nil)
    }
  }

  @Test func `SQL in the names and passphrases of unlock is never run`() throws {
    let scene = try Scene()
    expectError(.badSecret) { _ = try scene.open(.environment("'; --\"")) }
    expectError(.badKeyFile) { _ = try scene.open(.keyFile(scene.directory.file("'; --\""))) }
    let path = scene.directory.file("k'\"; --.key")
    try scene.open(.keyFile(path, createIfMissing: true)).close()
    try scene.open(.keyFile(path)).close()
    let phrased = try Scene("p'\".db")
    try phrased.open(.passphrase("'; DROP TABLE nacre_slot; --\0x")).close()
    expectError(.wrongSecret) {
      _ = try phrased.open(.passphrase("'; DROP TABLE nacre_slot; --"))
    }
  }
}
