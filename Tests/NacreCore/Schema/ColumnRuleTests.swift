import NacreCore
@testable import TestSupport
import Testing

/// The checks and collations of entities' columns.
@Suite struct ColumnRuleTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private enum Ruled: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name", column: .init(isUnique: true, collation: .noCase)),
        .init("power", .number, column: .init(check: "power < 10")),
      ]
    }
  }

  private enum Checked: RobotForm {
    static var parts: [RobotPart] {
      [.init("name"), .init("power", .number, column: .init(check: "power < 10"))]
    }
  }

  private enum Relaxed: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name", .optionalText, column: .init(isUnique: true, collation: .noCase)),
        .init("power", .number, column: .init(check: "power < 10")),
        .init("model", column: .init(check: "model <> 'none'")),
      ]
    }
  }

  private enum Sealed: RobotForm {
    static var parts: [RobotPart] {
      [.init("name", column: .init(collation: .noCase), sealed: .init())]
    }
  }

  private func count(_ name: String, in store: Store) throws -> Int {
    try Robot<Relaxed>.where("name = ?", name).in(store).count()
  }

  @Test func `an object that breaks the check of a column is refused`() throws {
    let store = try scene.open()
    try Robot<Checked>.store(in: store) { $0[number: "power"] = 9 }
    expectError(.constraint, entity: "Robot") {
      try Robot<Checked>.store(in: store) {
        $0[text: "name"] = "strong"
        $0[number: "power"] = 10
      }
    }
    #expect(try Robot<Checked>.all.in(store).count() == 1)
  }

  @Test(.sqliteOnly("a server has no rule NOCASE"))
  func `a column without case stays so when its property becomes optional`() throws {
    let store = try scene.open()
    try Robot<Ruled>.store(in: store) { $0[text: "name"] = "Ada" }
    #expect(try Robot<Ruled>.where("name = ?", "ADA").in(store).count() == 1)
    try Robot<Relaxed>.store(in: store) { $0[optionalText: "name"] = nil }
    #expect(try count("ADA", in: store) == 1)
    expectError(.constraint, entity: "Robot") {
      try Robot<Relaxed>.store(in: store) { $0[optionalText: "name"] = "aDa" }
    }
    expectError(.constraint, entity: "Robot") {
      try Robot<Relaxed>.store(in: store) { $0[text: "model"] = "none" }
    }
  }

  @Test func `a sealed property with a collation is refused`() throws {
    let store = try scene.open()
    expectError(.badDeclaration, entity: "Robot", property: "name") {
      try Robot<Sealed>.use(in: store)
    }
  }
}
