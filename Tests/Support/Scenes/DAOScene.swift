import Foundation
import NacreCore
import NacreCrypto
import Testing

/// A store with a table that a DAO's statements have made, beside the vaults of the application's class.
struct DAOScene {
  static let table = """
    CREATE TABLE notes (id INTEGER PRIMARY KEY, body, extra TEXT, plain TEXT)
    """
  static let entity = "dao:notes"

  let scene: Scene
  let rowIDs: [Int64]

  /// Stores rows from the least rowid to the greatest, in transactions of 7.
  init(count: Int = 23, _ change: (inout StoreOptions) -> Void = { _ in }) throws {
    scene = try Scene()
    let middle = (0..<Int64(max(count - 2, 0))).map { $0 - 9 }
    rowIDs = [Int64.min] + middle + [Int64.max]
    let store = try scene.open(Scene.unlock, change)
    try store.write { database in
      try database.execute(DAOScene.table)
      try DAOScene.note(database)
    }
    for start in stride(from: 0, to: rowIDs.count, by: 7) {
      try store.write { database in
        for rowID in rowIDs[start..<min(start + 7, rowIDs.count)] {
          try DAOScene.insert(rowID, on: database)
        }
      }
    }
    try store.close()
  }

  static func note(_ database: Database) throws {
    try database.noteDAO(table: "notes", column: "body", type: "Note", property: "body")
    try database.noteDAO(table: "notes", column: "extra", type: "Note", property: "extra")
  }

  static func insert(_ rowID: Int64, on database: Database) throws {
    let arguments: [Value] = [
      .integer(rowID),
      try database.sealDAO(body(rowID), type: "Note", property: "body"),
      try database.sealDAO(extra(rowID), type: "Note", property: "extra"),
      .text("\(rowID)"),
    ]
    try database.connection.run(
      "INSERT INTO notes (id, body, extra, plain) VALUES (?1, ?2, ?3, ?4)",
      arguments
    )
  }

  /// A value of another storage class in each row; NULL in some.
  static func body(_ rowID: Int64) -> Value {
    switch rowID & 3 {
    case 0: .text("\(Marker.text) \(rowID)")
    case 1: .integer(rowID)
    case 2: .blob(Data(Marker.text.utf8) + [UInt8(truncatingIfNeeded: rowID)])
    default: .real(Double(rowID) / 3)
    }
  }

  static func extra(_ rowID: Int64) -> Value { rowID % 3 == 0 ? .null : .text("\(rowID)") }

  /// How many sealed values the rows have.
  var valueCount: Int { rowIDs.reduce(0) { $0 + (DAOScene.extra($1) == .null ? 1 : 2) } }

  func open(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> Store {
    try scene.open(Scene.unlock, change)
  }

  /// Fails when a row is not there, or a value not what was stored.
  func expectWhole(
    _ store: Store,
    with others: [Int64] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let rows = try store.read { database in
      try database.query("SELECT id, body, extra FROM notes ORDER BY id").map { row in
        [
          row[0], try database.openDAO(row[1], type: "Note", property: "body"),
          try database.openDAO(row[2], type: "Note", property: "extra"),
        ]
      }
    }
    let expected = (rowIDs + others).sorted().map { id in
      [.integer(id), DAOScene.body(id), DAOScene.extra(id)]
    }
    #expect(rows == expected, sourceLocation: sourceLocation)
  }

  /// The keys that sealed values name.
  func namedKeys(_ store: Store) throws -> Set<KeyID?> {
    Set(try store.sealedCounts().map(\.keyID))
  }
}
