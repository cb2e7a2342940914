import Foundation
@testable import NacreCore
import NacreCrypto
@testable import NacreUpkeep
import Testing
@testable import TestSupport

/// Lines that were cut, garbled or written to do harm: nothing of them may be imported.
@Suite struct ImportTests {
  /// A small export, its store, and an empty one of the same id.
  private struct Pair {
    let lines: Lines
    let scene: Scene
    let target: Store
    let id: UUID

    init(revealing: Bool = false) throws {
      let origin = try Scene()
      let store = try origin.open()
      let person = Person.create()
      person.code = "p"
      person.name = Marker.text
      let car = Car.create()
      car.vin = Marker.text
      car.wheels = [Wheel.create()]
      car.owner = Link(person)
      car.drivers.add(person)
      let badge = Badge.make("b") { $0.plate = "plate" }
      try store.write { _ in
        for object in [person, car, badge] as [any Entity] { try object.save(cascade: true) }
      }
      lines = try Lines(store, revealing: revealing)
      scene = try Scene()
      if revealing {
        target = try scene.open(Scene.wrong)
      } else {
        try store.backup(to: scene.path)
        for table in ["Car_wheels", "Car_drivers", "Car", "Wheel", "Person", "Badge"] {
          try scene.edit("DELETE FROM \(table)")
        }
        target = try scene.open()
      }
      id = car.objectID
    }

    var isEmpty: Bool {
      get throws {
        let tables = try scene.edit("SELECT name FROM sqlite_schema WHERE name = 'Car'")
        return try tables.isEmpty
          || scene.edit("SELECT 1 FROM Car") == []
            && scene.edit("SELECT 1 FROM Person") == [] && scene.edit("SELECT 1 FROM Badge") == []
      }
    }

    func expectRefused(
      _ lines: Lines,
      _ code: NacreError.Code = .badImport,
      line: Int? = nil,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let error = thrown(code, sourceLocation: sourceLocation) { try lines.load(into: target) }
      if let line {
        let detail = error?.detail ?? ""
        #expect(detail.hasPrefix("line \(line)"), "\(detail)", sourceLocation: sourceLocation)
      }
      #expect(try isEmpty, sourceLocation: sourceLocation)
    }
  }

  // MARK: Cut and garbled

  @Test func `lines that were cut anywhere are refused`() throws {
    let pair = try Pair()
    for count in 0..<pair.lines.lines.count {
      try pair.expectRefused(Lines(Array(pair.lines.lines[..<count])), line: count + 1)
    }
    for index in 1..<pair.lines.lines.count - 1 {
      var missing = pair.lines
      missing.lines.remove(at: index)
      try pair.expectRefused(missing)
    }
    let text = pair.lines.text
    for count in stride(from: 1, to: text.utf8.count - 2, by: 97) {
      try pair.expectRefused(Lines(text: String(decoding: text.utf8.prefix(count), as: UTF8.self)))
    }
    try pair.lines.load(into: pair.target)
    #expect(try pair.target.verify().isSound)
  }

  @Test(arguments: [false, true])
  func `a changed byte is refused, or leaves a sound store`(revealing: Bool) throws {
    let pair = try Pair(revealing: revealing)
    let bytes = Array(pair.lines.text.utf8)
    for (step, index) in stride(from: 3, to: bytes.count, by: 23).enumerated() {
      var changed = bytes
      changed[index] = [0x00, 0x22, 0x7B, 0x5C, 0xFF, 0x39, 0x2C, UInt8(ascii: "-")][step % 8]
      let lines = Lines(
        changed.split(separator: UInt8(ascii: "\n")).map { Data($0) }
      )
      do {
        try pair.target.write { _ in
          try lines.load(into: pair.target)
          let report = try pair.target.verify()
          #expect(report.isSound, "byte \(index): \(report.badCells) \(report.faults)")
          throw CancellationError()
        }
      } catch let error as NacreError {
        if !revealing { Marker.expectAbsent("\(error)") }
      } catch is CancellationError {}
      #expect(try pair.isEmpty)
    }
  }

  @Test(arguments: [
    "", "null", "[]", "{", "{}", "\u{FEFF}{}", "{\"nacre\":\"import\"}", "{\"rows\":0,\"joins\":0}",
    "{\"nacre\":\"export\",\"version\":2}", "{\"nacre\":\"export\",\"version\":1}",
    "{\"nacre\":\"export\",\"nacre\":\"export\"}", "[[[[[[[[[[[[]]]]]]]]]]]]", "{\"a\":1e999}",
    "{\"a\":01}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\x\"}", "{\"a\":tru}", "nan", "{\"a\":1}{}",
    "{\"a\":9223372036854775808}", "{\"a\":-}", "{\"a\":1.}", "{\"a\":\"",
  ])
  func `a first line that is none is refused`(line: String) throws {
    let pair = try Pair()
    try pair.expectRefused(Lines([Data(line.utf8)] + pair.lines.lines.dropFirst()))
  }

  @Test func `deep nesting is refused before it is read`() throws {
    let pair = try Pair()
    let deep = String(repeating: "[", count: 1_000_000)
    try pair.expectRefused(Lines([Data(deep.utf8)]), line: 1)
  }

  // MARK: Another store's, or another place's

  @Test func `envelopes of another store are refused by its id`() throws {
    let pair = try Pair()
    let otherScene = try Scene()
    let other = try otherScene.open()
    defer { withExtendedLifetime(otherScene) {} }
    expectError(.badImport) { try pair.lines.load(into: other) }
  }

  @Test func `an envelope that was moved or changed is refused where it stands`() throws {
    let pair = try Pair()
    let moved = pair.lines.replacing(pair.id.uuidString, UUID().uuidString)
    let error = thrown(.tampered, entity: "Car", property: "vin") {
      try moved.load(into: pair.target)
    }
    #expect(error?.detail?.hasPrefix("line 3") == true)
    #expect(try pair.isEmpty)
  }

  @Test func `values that do not fit are refused`() throws {
    let pair = try Pair()
    let sealed = try #require(pair.lines.text.firstMatch(of: /"vin":(\{"sealed":"[^"]*"\})/)?.1)
    for value in [
      "\"plain\"", "7", "{\"base64\":\"AAAA\"}", "{\"open\":7}", "{\"open\":null}",
      "{\"sealed\":\"AAAA\"}", "{\"sealed\":\"?\"}", "{\"sealed\":7}", "{\"hooked\":\"AAAA\"}",
      "true",
      "{\"sealed\":\"\",\"open\":1}", "[]",
    ] {
      let line = pair.lines.replacing(String(sealed), value)
      if value == "{\"open\":null}" {
        try pair.target.write { _ in
          try line.load(into: pair.target)
          #expect(try pair.target.verify().isSound)
          try Car.truncate()
          try Wheel.truncate()
          try Person.truncate()
          try Badge.truncate()
        }
        continue
      }
      let code: NacreError.Code =
        switch value {
        case "{\"sealed\":\"AAAA\"}": .notAnEnvelope
        case "{\"open\":7}": .wrongSealedType
        default: .badImport
        }
      try pair.expectRefused(line, code, line: 3)
    }
    try pair.expectRefused(
      pair.lines.replacing("\"name\":\"\"", "\"name\":\(sealed)"),
      line: 3
    )
    try pair.expectRefused(pair.lines.replacing("\"size\":0", "\"size\":\"0\""))
    try pair.expectRefused(pair.lines.replacing("\"size\":0", "\"size\":0.0"))
    try pair.expectRefused(pair.lines.replacing("\"size\":0", "\"size\":false"))
    try pair.expectRefused(pair.lines.replacing("\"size\":0", "\"size\":null"), .constraint)
    try pair.expectRefused(pair.lines.replacing("\"size\":0,", ""))
    try pair.expectRefused(pair.lines.replacing("\"size\":0", "\"size\":0,\"more\":0"))
    try pair.expectRefused(pair.lines.replacing("\"position\":0", "\"position\":-1"))
    try pair.expectRefused(
      pair.lines.replacing("\"position\":0", "\"position\":9223372036854775807")
    )
  }

  @Test func `a value may not be nil where the property may not`() throws {
    let pair = try Pair()
    let text = pair.lines.text.replacing(/"serial":\{"sealed":"[^"]*"\}/, with: "\"serial\":null")
    #expect(text != pair.lines.text)
    try pair.expectRefused(Lines(text: text), line: 2)
    let revealed = try Pair(revealing: true)
    let open = revealed.lines.replacing("{\"open\":\"serial of b\"}", "{\"open\":null}")
    try revealed.expectRefused(open, line: 2)
  }

  @Test func `a plain nil is hidden where the property hides nil`() throws {
    let (scene, other) = (try Scene(), try Scene())
    let store = try scene.open()
    try Paper<WidePaper>.store(2, in: store)
    // As rows lie that are older than the hiding of nil.
    try scene.edit("UPDATE Paper SET note = NULL, note__index = NULL WHERE label = '0'")
    let lines = try Lines(store, revealing: true)
    #expect(lines.text.contains("\"note\":null"))
    let target = try other.open()
    try lines.load(into: target)
    #expect(try other.edit("SELECT count(*) FROM Paper WHERE note IS NULL") == [[.integer(0)]])
    try target.read { (_) throws in
      #expect(try Paper<WidePaper>.fetchAll(\.note, equals: nil).map(\.label) == ["0"])
    }
    #expect(try target.verify().isSound)
  }

  @Test func `the first reference that leads nowhere is named`() throws {
    let pair = try Pair()
    var lines = pair.lines.lines
    lines.removeAll { String(decoding: $0, as: UTF8.self).contains("{\"entity\":\"Person\"") }
    let text = Lines(lines).text.replacing("\"rows\":4", with: "\"rows\":3")
    let error = thrown(.badImport, entity: "Car", property: "owner", objectID: pair.id) {
      try Lines(text: text).load(into: pair.target)
    }
    #expect(error != nil)
    let joins = text.replacing(/"owner":\{"base64":"[^"]*"\}/, with: "\"owner\":null")
    expectError(.badImport, entity: "Car", property: "drivers", objectID: pair.id) {
      try Lines(text: joins).load(into: pair.target)
    }
    #expect(try pair.isEmpty)
  }

  // MARK: Hostile first lines

  @Test func `a first line can't bring SQL, or tables that are not an application's`() throws {
    let pair = try Pair(revealing: true)
    let names = ["nacre_key", "NACRE_store", "sqlite_master", "nacre_new", "", "a\\u0000b", "\\n"]
    for name in names {
      try pair.expectRefused(
        pair.lines.replacing("\"table\":\"Badge\"", "\"table\":\"\(name)\""),
        line: 1
      )
    }
    let rest: [(String, String)] = [
      ("\"table\":\"Badge\"", "\"table\":\"Wheel\""),
      ("\"name\":\"Badge\"", "\"name\":\"Wheel\""),
      ("\"table\":\"Car_wheels\"", "\"table\":\"Car_drivers\""),
      ("\"join\":\"Car_wheels\"", "\"join\":\"nacre_slot\""),
      ("\"type\":\"INTEGER\",\"notnull\"", "\"type\":\"INTEGER PRIMARY KEY\",\"notnull\""),
      ("\"type\":\"TEXT\",\"notnull\"", "\"type\":\"TEXT, evil\",\"notnull\""),
      ("\"kind\":\"link\"", "\"kind\":\"rope\""),
      ("\"target\":\"Person\"", "\"target\":\"Nobody\""),
      ("\"normalizer\":\"exact\"", "\"normalizer\":\"rot13\""),
      ("\"bits\":128", "\"bits\":0"),
      ("\"bits\":128", "\"bits\":12"),
      ("\"column\":\"label\"", "\"column\":\"nothing\""),
      ("\"name\":\"label\",\"type\"", "\"name\":\"OBJECTID\",\"type\""),
      ("\"name\":\"label\",\"type\"", "\"name\":\"plate__INDEX\",\"type\""),
      ("\"padding\":\"none\"", "\"padding\":\"thick\""),
    ]
    for (old, new) in rest { try pair.expectRefused(pair.lines.replacing(old, new), line: 1) }
    // What has to be quoted is a name like any other.
    let name = "x\\\" (a); DROP TABLE nacre_key; --"
    let lines = pair.lines.replacing("\"table\":\"Badge\"", "\"table\":\"\(name)\"")
    try lines.load(into: pair.target)
    #expect(try pair.scene.edit("SELECT count(*) FROM nacre_key") == [[2]])
    #expect(try pair.target.verify().isSound)
  }

  @Test func `a first line that does not fit the store is refused`() throws {
    let pair = try Pair()
    for (old, new) in [
      ("{\"name\":\"vin\",\"type\":\"BLOB\"", "{\"name\":\"vin\",\"type\":\"TEXT\""),
      ("{\"name\":\"size\",\"type\":\"INTEGER\"", "{\"name\":\"sizes\",\"type\":\"INTEGER\""),
      ("\"kind\":\"link\"", "\"kind\":\"child\""),
      ("\"hooked\":false", "\"hooked\":true"),
      ("\"name\":\"note\",\"column\"", "\"name\":\"notes\",\"column\""),
    ] {
      try pair.expectRefused(pair.lines.replacing(old, new), line: 1)
    }
  }

  @Test func `lines in another order, or twice, are refused`() throws {
    let pair = try Pair()
    var swapped = pair.lines
    swapped.lines.swapAt(2, swapped.lines.count - 2)
    try pair.expectRefused(swapped)
    var twice = pair.lines
    twice.lines.insert(twice.lines[2], at: 2)
    try pair.expectRefused(twice, .alreadyStored, line: 4)
    var behind = pair.lines
    behind.lines.append(Data("{}".utf8))
    try pair.expectRefused(behind)
    // Blank lines are none.
    var blank = pair.lines
    blank.lines.insert(Data("\r\n".utf8), at: 1)
    blank.lines.append(Data("\n".utf8))
    try blank.load(into: pair.target)
  }

  @Test func `a locked store takes no sealed values`() throws {
    let pair = try Pair(revealing: true)
    let lockedScene = try Scene()
    let locked = try lockedScene.open(nil)
    defer { withExtendedLifetime(lockedScene) {} }
    expectError(.noKeyRing) { try pair.lines.load(into: locked) }
  }

  @Test func `an error of the source ends the import`() throws {
    let pair = try Pair()
    struct Broken: Error {}
    var count = 0
    #expect(throws: Broken.self) {
      try pair.target.importLines {
        count += 1
        if count == 4 { throw Broken() }
        return pair.lines.lines[count - 1]
      }
    }
    #expect(try pair.isEmpty)
  }

  // MARK: Lines

  @Test func `a reader gives every line, however long and however it ends`() throws {
    let directory = try TemporaryDirectory()
    let long = String(repeating: "x", count: 3 << 20)
    for (text, expected) in [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]), ("\n", [""]),
      ("\(long)\ny\n\(long)", [long, "y", long]),
    ] as [(String, [String])] {
      let path = directory.file("lines")
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let reader = LineReader(try #require(FileHandle(forReadingAtPath: path)))
      var lines: [String] = []
      while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
      #expect(lines == expected)
      #expect(try reader.next() == nil)
    }
    let path = directory.file("lines")
    let reader = LineReader(try #require(FileHandle(forReadingAtPath: path)), limit: 1 << 20)
    expectError(.badImport) { _ = try reader.next() }
  }
}
