import NacreCore
@testable import TestSupport

/// Two robots, one of which has `red` in its name and the other in its note, and what is found of them.
enum SearchedRobots {
  enum Bare: RobotForm {
    static var parts: [RobotPart] { [.init("name"), .init("note", .optionalText)] }
  }

  enum Named: RobotForm {
    static var parts: [RobotPart] {
      [.init("name", column: .init(isFullText: true)), .init("note", .optionalText)]
    }
  }

  static func save(in store: Store) throws {
    for (name, note) in [("driving red", "wheel"), ("blue", "red door")] {
      try Robot<Bare>.store(in: store) { robot in
        robot[text: "name"] = name
        robot[optionalText: "note"] = note
      }
    }
  }

  static func count<D: RobotForm>(_ text: String, _ form: D.Type, in store: Store) throws -> Int {
    try store.read { _ in try Robot<D>.search(text).count() }
  }

  /// The parts of the robots' full-text index that the file has.
  static func parts(of scene: Scene) throws -> [[Value]] {
    try scene.edit(
      "SELECT name, sql FROM sqlite_schema WHERE name LIKE 'Robot\\_\\_fulltext%' ESCAPE '\\' "
        + "AND sql IS NOT NULL ORDER BY name"
    )
  }
}
