import NacreCore
@testable import TestSupport

/// A store that four steps take to its newest version, with the class of the first version and that of the last.
struct StepScene {
  let scene: Scene

  init() throws { scene = try Scene() }

  enum Form1: RobotForm {
    static var parts: [RobotPart] { [.init("name")] }
  }

  enum Form4: RobotForm {
    static var parts: [RobotPart] {
      [.init("name"), .init("two"), .init("three"), .init("four", .number, preset: "4")]
    }
  }

  static let steps: [Migrator.Step] = [
    .init("1"),
    .init("2") { database in
      try database.addColumn("two", to: "Robot", type: .text)
    } down: { database in
      try database.dropColumn("two", of: "Robot")
    },
    .init("3") { database in
      try database.execute("ALTER TABLE \"Robot\" ADD COLUMN three TEXT DEFAULT '3'")
    } down: { database in
      try database.dropColumn("three", of: "Robot")
    },
    .init("4") { database in try database.addColumn("four", to: "Robot", type: .integer) },
  ]

  /// Opens it with the first steps.
  func open(
    _ count: Int,
    _ change: (inout StoreOptions) -> Void = { _ in }
  ) throws -> Store {
    try scene.open { options in
      options.migrator = Migrator(Array(Self.steps.prefix(count)))
      change(&options)
    }
  }
}
