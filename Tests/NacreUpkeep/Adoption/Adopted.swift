import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
@testable import TestSupport

/// A sealed store that knows some classes, and a foreign file with people and cars.
struct Adopted {
  static let people = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, code TEXT, name TEXT, age INTEGER);
    INSERT INTO person VALUES (1, 'a', 'MARKER Ada', 36), (2, 'b', 'MARKER Bob', NULL);
    """

  let foreign: ForeignDatabase
  let scene: Scene
  let store: Store

  /// Makes both; the file holds what the SQL makes.
  init(_ sql: String = Adopted.people) throws {
    foreign = try ForeignDatabase(sql)
    scene = try Scene()
    store = try scene.open()
    // Their first use makes their tables. An option would make this the store of these classes, in
    // which other tests look for them.
    try store.write { _ in
      _ = try (Car.count(), Wheel.count(), Person.count(), Badge.count())
    }
  }

  /// The mapping of the people.
  static var person: AdoptedTable {
    AdoptedTable(
      "person",
      entity: "Person",
      key: .derived("id"),
      properties: ["code": "code", "name": "name", "age": "age"]
    )
  }

  @discardableResult
  func adopt(
    _ tables: AdoptedTable...,
    lists: [AdoptedList] = [],
    misfits: MisfitTreatment = .refuse
  ) throws -> AdoptionReport {
    try store.adopt(
      foreign.path,
      by: AdoptionMapping(tables: tables, lists: lists),
      misfits: misfits
    )
  }

  /// Every row of the application's tables in the store.
  func rows() throws -> [String: [[Value]]] { try scene.tables() }
}
