import Foundation
import NacreCore
import NacreUpkeep
@testable import TestSupport
import Testing

/// Properties that get another name, with their values, indexes and envelopes.
@Suite struct PropertyRenameTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private enum Bare: RobotForm {
    static var parts: [RobotPart] { [.init("name")] }
  }

  private enum Before: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name", column: .init(isUnique: true)),
        .init("secret", sealed: .init(isSearchable: true)),
        .init("serial", sealed: .init(isUnique: true)),
        .init("note", .optionalText, sealed: .init(hidesNil: true, padding: .bucketed)),
      ]
    }
  }

  private enum After: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("title", column: .init(isUnique: true, renamedFrom: "name")),
        .init("plate", column: .init(renamedFrom: "secret"), sealed: .init(isSearchable: true)),
        .init("number", column: .init(renamedFrom: "serial"), sealed: .init(isUnique: true)),
        .init(
          "memo",
          .optionalText,
          column: .init(name: "remark", renamedFrom: "note"),
          sealed: .init(hidesNil: true, padding: .bucketed)
        ),
      ]
    }
  }

  private func storeBefore(_ count: Int, in store: Store) throws {
    try store.write { _ in
      for index in 0..<count {
        let robot = Robot<Before>.create()
        robot[text: "name"] = "\(index)"
        robot[text: "secret"] = "MARKER-\(index % 7)"
        robot[text: "serial"] = "MARKER-S\(index)"
        robot[optionalText: "note"] = index.isMultiple(of: 2) ? nil : "MARKER-N\(index)"
        try robot.save()
      }
    }
  }

  @Test
  func `renamed properties keep their values, sealed ones under their new names`() throws {
    let store = try scene.open()
    try storeBefore(40, in: store)
    #expect(
      try store.migrationPlan(Robot<After>.self).description == """
        Robot.title: renamed from name
        Robot.plate: renamed from secret
        Robot.number: renamed from serial
        Robot.memo: renamed from note
        """
    )
    let robots = try store.read { _ in try Robot<After>.fetchAll() }
    #expect(robots.count == 40)
    for robot in robots {
      let index = try #require(Int(robot[text: "title"]))
      #expect(robot[text: "plate"] == "MARKER-\(index % 7)")
      #expect(robot[text: "number"] == "MARKER-S\(index)")
      #expect(robot[optionalText: "memo"] == (index % 2 == 0 ? nil : "MARKER-N\(index)"))
    }
    #expect(
      try scene.columns(of: "Robot") == [
        "objectID", "title", "plate", "plate__index", "number", "number__index", "remark",
      ]
    )
    #expect(
      try store.schema().first?.indexes.map(\.name) == [
        "Robot__number__index", "Robot__plate__index", "Robot__title",
      ]
    )
    try store.read { (_) throws in
      #expect(try Robot<After>.fetchAll(\.[text: "plate"], equals: "MARKER-3").count == 6)
      #expect(try Robot<After>.fetchOne(\.[text: "number"], equals: "MARKER-S7") != nil)
      expectError(.sealedCondition) { _ = try Robot<After>.fetchAll(where: "plate = 'x'") }
    }
    expectError(.constraint, entity: "Robot", property: "number") {
      try Robot<After>.store(in: store) { $0[text: "number"] = "MARKER-S7" }
    }
    #expect(try store.verify().isSound)
    #expect(try store.migrationPlan(Robot<After>.self).isEmpty)
    let former = try scene.edit("SELECT name FROM nacre_property WHERE name = 'secret'")
    #expect(former == [])
  }

  @Test func `a sealed property is not renamed without the ring, nor where a value does not open`()
    throws
  {
    let store = try scene.open()
    try storeBefore(9, in: store)
    try store.close()
    let locked = try scene.open(nil)
    expectError(.storeLocked) { try Robot<After>.use(in: locked) }
    try locked.close()
    try scene.edit("UPDATE \"Robot\" SET serial = ? WHERE name = '7'", .blob(Data(count: 60)))
    let before = try scene.edit("SELECT * FROM \"Robot\"")
    let again = try scene.open()
    expectError(.notAnEnvelope, entity: "Robot", property: "serial") {
      try Robot<After>.use(in: again)
    }
    #expect(try scene.edit("SELECT * FROM \"Robot\"") == before)
    #expect(try scene.columns(of: "Robot").contains("secret"))
    #expect(try again.read { _ in try Robot<Before>.count() } == 9)
    try again.read { _ in
      expectError(.sealedCondition) { _ = try Robot<Before>.fetchAll(where: "secret = 'x'") }
    }
  }

  private enum Twice: RobotForm {
    static var parts: [RobotPart] {
      [
        .init(
          "title",
          column: .init(renamedFrom: "name"),
          sealed: .init(isSearchable: true)
        )
      ]
    }
  }

  @Test
  func `a property is renamed and sealed in one version`() throws {
    let store = try scene.open()
    try Robot<Bare>.store(in: store) { $0[text: "name"] = "MARKER-plain" }
    expectError(.migrationPending, entity: "Robot", property: "title") {
      try Robot<Twice>.use(in: store)
    }
    #expect(try store.migrate(Robot<Twice>.self).map(\.property) == ["title"])
    try store.read { (_) throws in
      #expect(try Robot<Twice>.fetchAll(\.[text: "title"], equals: "MARKER-plain").count == 1)
    }
    try store.close()
    for (name, bytes) in try scene.fileBytes() {
      #expect(bytes.range(of: Data("MARKER".utf8)) == nil, "\(name)")
    }
  }

  private enum Columned: RobotForm {
    static var parts: [RobotPart] { [.init("name", column: .init(name: "label"))] }
  }

  private enum ColumnRenamed: RobotForm {
    static var parts: [RobotPart] {
      [.init("name", column: .init(name: "label", renamedFrom: "name"))]
    }
  }

  @Test func `another column name is refused, unless the class names the former one`() throws {
    let store = try scene.open()
    try Robot<Bare>.store(in: store) { $0[text: "name"] = "kept" }
    expectError(.schemaMismatch, entity: "Robot", property: "name") {
      try Robot<Columned>.use(in: store)
    }
    #expect(try Robot<ColumnRenamed>.texts("name", in: store) == ["kept"])
    #expect(try scene.columns(of: "Robot") == ["objectID", "label"])
    #expect(try Robot<Columned>.texts("name", in: store) == ["kept"])
  }

  private enum Adding: RobotForm {
    static var parts: [RobotPart] {
      [.init("name"), .init("title", column: .init(renamedFrom: "name"))]
    }
  }

  @Test func `a name that is still declared is not taken for a former one`() throws {
    let store = try scene.open()
    try Robot<Bare>.store(in: store) { $0[text: "name"] = "kept" }
    #expect(try Robot<Adding>.texts("name", in: store) == ["kept"])
    #expect(try Robot<Adding>.texts("title", in: store) == [""])
  }

  @Test
  func `relationships are renamed with their tables and links`() throws {
    let store = try scene.open()
    let ship = Fleet.First.create()
    ship.sailors = [Fleet.Sailor.create(), Fleet.Sailor.create()]
    ship.captain = Fleet.Sailor.create()
    try scene.save(ship, in: store)
    let found = try #require(try store.read { _ in try Fleet.Second.fetchOne() })
    #expect(found.crew.map(\.objectID) == ship.sailors.map(\.objectID))
    #expect(found.master?.objectID == ship.captain?.objectID)
    found.crew.removeLast()
    try found.save()
    let tables = try store.schema()
    #expect(tables.map(\.name) == ["Sailor", "Ship", "Ship_crew"])
    #expect(tables.last?.indexes.map(\.name) == ["Ship_crew__child"])
    #expect(try scene.columns(of: "Ship") == ["objectID", "master"])
    #expect(try store.verify().isSound)
  }
}
