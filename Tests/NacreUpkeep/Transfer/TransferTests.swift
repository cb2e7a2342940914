import Foundation
@testable import NacreCore
import NacreCrypto
import NacreSQLite
@testable import NacreUpkeep
import Testing
@testable import TestSupport

/// Objects that go out by export and come back by import.
@Suite struct TransferTests {
  // MARK: Round trips

  @Test func `envelopes come back into the store they are of, to the last byte`() throws {
    let stock = try Stock()
    let lines = try Lines(stock.store)
    let (copy, store) = try stock.emptied()
    let report = try lines.load(into: store)
    #expect(report.objectCount == 22)
    #expect(report.joinCount == 13)
    #expect(try copy.tables() == stock.scene.tables())
    #expect(try store.verify().isSound)
    #expect(try Lines(store).text == lines.text)
  }

  @Test func `an import makes the tables that a fresh backup lacks`() throws {
    let stock = try Stock()
    let lines = try Lines(stock.store)
    let (copy, store) = try stock.emptied()
    try store.close()
    for table in ["Car_wheels", "Car_drivers", "Car", "Wheel", "Person", "Badge", "Vault"] {
      try copy.edit("DROP TABLE \(table)")
    }
    try copy.edit("DELETE FROM nacre_entity")
    try copy.editCatalog("DELETE FROM nacre_property")
    let fresh = try copy.open()
    try lines.load(into: fresh)
    #expect(try fresh.verify().isSound)
    #expect(try fresh.check() == [])
    let schema = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'nacre%' ORDER BY name"
    #expect(try copy.edit(schema) == stock.scene.edit(schema))
    let catalog = "SELECT * FROM nacre_property ORDER BY entity, name"
    #expect(try copy.edit(catalog) == stock.scene.edit(catalog))
  }

  @Test func `revealed objects go from a plain store into a sealed file, and back`() throws {
    let stock = try Stock()
    let lines = try Lines(stock.store, revealing: true)
    let content = lines.text.split(separator: "\n").dropFirst()
    let (sealed, plain) = (try Scene(), try Scene())
    let file = try sealed.open(Scene.wrong) { $0.seals = .file }
    #expect(try lines.load(into: file).objectCount == 22)
    #expect(try file.verify().isSound)
    let again = try Lines(file, revealing: true)
    #expect(again.text.split(separator: "\n").dropFirst() == content)
    try file.close()
    let store = try plain.open()
    #expect(try again.load(into: store).objectCount == 22)
    #expect(try Lines(store, revealing: true).text.split(separator: "\n").dropFirst() == content)
    #expect(try store.verify().isSound)
  }

  @Test func `revealed values are sealed anew in another store, and found there`() throws {
    let stock = try Stock()
    let lines = try Lines(stock.store, revealing: true)
    let other = try Scene()
    let store = try other.open(Scene.wrong)
    let report = try lines.load(into: store)
    #expect(report.objectCount == 22)
    let verified = try store.verify()
    #expect(verified.isSound, "\(verified.badCells) \(verified.faults)")
    #expect(verified.openedCount == (try stock.store.verify()).openedCount)
    try store.write { (_) throws in
      let badge = try #require(try Badge.fetchOne(\.plate, equals: "\(Marker.text)-1"))
      #expect(badge.objectID == stock.badges[1].objectID)
      #expect(badge.email == "Marker1@example.org")
      #expect(try Badge.fetchAll(\.hidden, equals: nil).count == 3)
      let vault = try #require(try Vault.fetch(id: stock.vaults[1].objectID))
      #expect(vault.number == Int.max - 1)
      #expect(vault.real.sign == .minus && vault.real == 0)
      #expect(vault.data == Data("MARKER 1".utf8))
      #expect(vault.secret == "\(Marker.text) 1")
      let car = try #require(try Car.fetch(id: stock.cars[0].objectID))
      #expect(car.wheels.map(\.objectID) == stock.cars[0].wheels.map(\.objectID))
      #expect(try car.owner?.get().objectID == stock.people[0].objectID)
      #expect(try car.drivers.count() == 3)
      // The tables are those that the classes themselves would have made.
      car.name = "changed"
      try car.save()
      try Badge.make("new").save()
    }
    #expect(try store.check() == [])
    let bytes = try other.fileBytes().values.reduce(Data(), +)
    #expect(bytes.range(of: Data(Marker.text.utf8)) == nil)
    expectError(.constraint) { try store.write { _ in try Badge.make("1").save() } }
  }

  @Test func `every value comes back as it was`() throws {
    let scene = try Scene()
    let store = try scene.open()
    let reals: [Double] = [
      0.0, -0.0, 0.1, 1.0, .pi, 1e300, -1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      .infinity, -.infinity, 9_007_199_254_740_992, -.leastNonzeroMagnitude, .ulpOfOne,
    ]
    let integers: [Int64] = [
      .min, .max, 0, -1, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, 9_223_372_036_854_775_806,
    ]
    let texts = [
      "", "\0", "a\u{0}b", "\"\\/\u{8}\u{c}\n\r\t\u{1f}\u{7f}", "é", "e\u{301}", "🏳️‍🌈", "\u{2028}",
      "{\"base64\":\"\"}", String(repeating: "x", count: 100_000), "\u{FFFD}", "\u{10FFFF}",
    ]
    try store.write { _ in
      for index in 0..<14 {
        let sample = Sample.create()
        sample.real = reals[index]
        sample.integer = Int(integers[index % integers.count])
        sample.text = texts[index % texts.count]
        sample.data = Data((0..<UInt8(index)).map { $0 &* 37 })
        try sample.save()
        let vault = Vault.create()
        vault.real = reals[index]
        vault.number = Int(integers[index % integers.count])
        vault.secret = texts[index % texts.count]
        vault.data = sample.data
        try vault.save()
      }
    }
    let other = try Scene()
    let fresh = try other.open(Scene.wrong)
    try Lines(store, revealing: true).load(into: fresh)
    #expect(try other.edit("SELECT * FROM Sample") == scene.edit("SELECT * FROM Sample"))
    #expect(
      try other.edit("SELECT typeof(real), hex(text), integer FROM Sample")
        == scene.edit("SELECT typeof(real), hex(text), integer FROM Sample")
    )
    let copies = try fresh.read { _ in try Vault.fetchAll() }
    for (vault, copy) in zip(try store.read { _ in try Vault.fetchAll() }, copies) {
      #expect(vault.real.bitPattern == copy.real.bitPattern)
      #expect(vault.number == copy.number)
      #expect(Array(vault.secret.utf8) == Array(copy.secret.utf8))
      #expect(vault.data == copy.data)
    }
    #expect(copies.count == 14)
  }

  @Test func `a sealed NaN keeps its bits`() throws {
    let stock = try Stock()
    let id = stock.vaults[0].objectID
    let bits: [UInt8] = [0x7F, 0xF8, 0, 0, 0, 0, 0xAB, 0xCD]
    try stock.put(try stock.envelope([2] + bits, "Vault", "real", id), "Vault", "real", id)
    let lines = try Lines(stock.store, revealing: true)
    #expect(lines.text.contains("{\"open\":{\"real\":\"nan:7ff800000000abcd\"}}"))
    let otherScene = try Scene()
    let other = try otherScene.open(Scene.wrong)
    defer { withExtendedLifetime(otherScene) {} }
    try lines.load(into: other)
    #expect(try Lines(other, revealing: true).text.contains("nan:7ff800000000abcd"))
  }

  @Test func `names that have to be quoted come back`() throws {
    let storeScene = try Scene()
    let store = try storeScene.open()
    defer { withExtendedLifetime(storeScene) {} }
    try store.write { _ in try Quoted.create().save() }
    let otherScene = try Scene()
    let other = try otherScene.open(Scene.wrong)
    defer { withExtendedLifetime(otherScene) {} }
    try Lines(store, revealing: true).load(into: other)
    #expect(try other.read { _ in try Quoted.fetchAll().count } == 1)
    #expect(try other.verify().isSound)
    #expect(try other.check() == [])
  }

  @Test func `a store without a ring goes to another without one`() throws {
    let storeScene = try Scene()
    let store = try storeScene.open(nil)
    defer { withExtendedLifetime(storeScene) {} }
    try store.write { _ in try Wheel.create().save() }
    let otherScene = try Scene()
    let other = try otherScene.open(nil)
    defer { withExtendedLifetime(otherScene) {} }
    try Lines(store, revealing: true).load(into: other)
    #expect(try other.read { _ in try Wheel.fetchAll().count } == 1)
  }

  // MARK: What does not travel

  @Test func `lines that do not reveal a sealed value hold nothing of it`() throws {
    let stock = try Stock()
    let lines = try Lines(stock.store)
    Marker.expectAbsent(lines.text)
    let revealed = try Lines(stock.store, revealing: true)
    #expect(revealed.text.contains(Marker.text))
    // Blobs travel in base64.
    for data in [Data("MARKER 0".utf8), Data("MARKER 2".utf8)] {
      #expect(!lines.text.contains(data.base64EncodedString()))
      #expect(revealed.text.contains(data.base64EncodedString()))
    }
    for text in [lines.text, revealed.text] { #expect(!text.contains("__index")) }
    // A locked store knows no better, and has the same lines.
    let locked = try stock.scene.open(nil)
    #expect(try Lines(locked).text == lines.text)
    expectError(.storeLocked) { _ = try Lines(locked, revealing: true) }
  }

  @Test(arguments: [true, false])
  func `a plain value in a sealed column ends the export`(revealing: Bool) throws {
    let stock = try Stock()
    let id = stock.vaults[1].objectID
    let plain: [Value] = [
      .text("MARKER"), .blob(Data("MARKER".utf8)),
      .blob(Data([1, 0, 0, 0, 9]) + Data(String(repeating: "MARKER", count: 20).utf8)),
    ]
    for (value, code) in zip(plain, [.notAnEnvelope, .notAnEnvelope, NacreError.Code.unknownKey]) {
      try stock.put(value, "Vault", "note", id)
      var lines = ""
      expectError(code, entity: "Vault", property: "note", objectID: id) {
        try stock.store.export(revealing: revealing) {
          lines += String(decoding: $0, as: UTF8.self)
        }
      }
      if !revealing { Marker.expectAbsent(lines) }
    }
  }

  @Test func `text that is not UTF-8 ends the export instead of being changed`() throws {
    let stock = try Stock()
    let id = stock.cars[0].objectID
    try stock.scene.edit(
      "UPDATE Car SET name = CAST(x'41FF' AS TEXT) WHERE objectID = ?1",
      id.storedValue
    )
    expectError(.valueMismatch, entity: "Car", property: "name", objectID: id) {
      _ = try Lines(stock.store)
    }
  }

  @Test func `a row without an identifier ends the export`() throws {
    let stock = try Stock()
    try stock.scene.edit("INSERT INTO Person (objectID, code) VALUES (x'01', 'y')")
    expectError(.valueMismatch, entity: "Person") { _ = try Lines(stock.store) }
  }

  @Test func `hooked values travel as they are, into their own store only`() throws {
    let stock = try Stock()
    let hooks = HookProvider(
      seal: { payload, _ in payload.reversed() },
      open: { stored, _ in stored.reversed() }
    )
    try stock.store.install(hooks, for: \Vault.note)
    try stock.store.write { _ in
      stock.vaults[0].note = "abc"
      try stock.vaults[0].save()
    }
    try stock.scene.edit("UPDATE Vault SET note = NULL WHERE length(note) > 10")
    let lines = try Lines(stock.store, revealing: true)
    #expect(lines.text.contains("{\"hooked\":"))
    let (copy, store) = try stock.emptied()
    try lines.load(into: store)
    #expect(
      try copy.edit("SELECT note FROM Vault ORDER BY objectID")
        == stock.scene.edit("SELECT note FROM Vault ORDER BY objectID")
    )
    let other = try Scene()
    expectError(.badImport) { try lines.load(into: other.open(Scene.wrong)) }
  }

  // MARK: Parts

  @Test func `some entities can be exported, and the import needs those they refer to`() throws {
    let stock = try Stock()
    expectError(.noSuchEntity) { _ = try Lines(stock.store, entities: ["Nobody"]) }
    let badges = try Lines(stock.store, revealing: true, entities: ["Badge"])
    let storeScene = try Scene()
    let store = try storeScene.open(Scene.wrong)
    defer { withExtendedLifetime(storeScene) {} }
    #expect(try badges.load(into: store).objects == ["Badge": 4])
    let cars = try Lines(stock.store, revealing: true, entities: ["Car"])
    expectError(.badImport, entity: "Car") { try cars.load(into: store) }
    try Lines(stock.store, revealing: true, entities: ["Person"]).load(into: store)
    let both = try Lines(stock.store, revealing: true, entities: ["Car", "Wheel"])
    #expect(try both.load(into: store).joinCount == 13)
    #expect(try store.verify().isSound)
  }

  @Test func `an export is of one state of the store`() throws {
    let stock = try Stock()
    var count = 0
    try stock.store.export { _ in
      count += 1
      if count == 2 {
        let other = try stock.scene.open()
        try other.write { _ in try Vault.truncate() }
        try other.close()
      }
    }
    // A first line, the objects, the rows of relationships, a last line.
    #expect(count == 1 + 22 + 13 + 1)
  }

  @Test func `export and import are refused while a conversion is unfinished`() throws {
    let stock = try Stock()
    let lines = try Lines(stock.store)
    try stock.scene.edit(
      """
      INSERT INTO nacre_rotation (kind, "from", "to", entity, property, phase, started, updated) \
      VALUES ('seal', 'a', 'b', 'Wheel', 'note', 'converting', 1, 1)
      """
    )
    expectError(.migrationPending, entity: "Wheel") { _ = try Lines(stock.store) }
    expectError(.migrationPending, entity: "Wheel") { try lines.load(into: stock.store) }
  }

  @Test func `the async twins of export and import do the same`() async throws {
    let stock = try Stock()
    let (copy, store) = try stock.emptied()
    defer { withExtendedLifetime(copy) {} }
    let file = stock.scene.directory.file("lines.json")
    try Data().write(to: URL(fileURLWithPath: file))
    let output = try #require(FileHandle(forWritingAtPath: file))
    let written = try await stock.store.export { try output.write(contentsOf: $0) }
    try output.close()
    nonisolated(unsafe) let reader = LineReader(try #require(FileHandle(forReadingAtPath: file)))
    let report = try await store.importLines { try reader.next() }
    #expect(report == written)
    let handle = try #require(FileHandle(forReadingAtPath: file))
    let again = try store.importLines(existing: .replace, from: handle)
    #expect(again.objects == written.objects && again.replacedCount == written.objectCount)
    // Nothing is revealed unasked.
    let lines = try String(contentsOfFile: file, encoding: .utf8)
    #expect(lines.contains("\n"))
    Marker.expectAbsent(lines)
    #expect(try await store.verify().isSound)
  }
}
