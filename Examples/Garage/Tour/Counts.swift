import Nacre

/// How many objects of each entity are stored.
struct Counts {
  private let rows: [(entity: String, count: Int, sealedProperties: Int)]

  /// Asks the default store.
  static func now() throws -> Counts {
    Counts(rows: [
      (entity: "Manufacturer", count: try Manufacturer.count(), sealedProperties: 0),
      (entity: "Car", count: try Car.count(), sealedProperties: 0),
      (entity: "Engine", count: try Engine.count(), sealedProperties: 0),
      (entity: "Owner", count: try Owner.count(), sealedProperties: 3),
    ])
  }

  /// How many objects there are of all entities.
  var total: Int { rows.reduce(0) { $0 + $1.count } }

  /// Writes a table of what is stored.
  func write() {
    var table = TextTable(("entity", .left), ("objects", .right), ("sealed values", .right))
    for row in rows {
      table.add(row.entity, row.count.grouped, (row.count * row.sealedProperties).grouped)
    }
    table.write()
  }

  /// Writes a table of what is stored beside what was stored before.
  func write(before: Counts) {
    var table = TextTable(("entity", .left), ("before", .right), ("after", .right))
    for (row, old) in zip(rows, before.rows) {
      table.add(row.entity, old.count.grouped, row.count.grouped)
    }
    table.write()
  }
}
