import Foundation
import NacreEngine
public import NacreStore

extension Database {
  /// Calls a closure with every row of an entity, its sealed values opened, and stores what the
  /// closure sets.
  ///
  /// Use it in a step that derives other properties from a sealed one, which SQL can't do.
  ///
  /// ```swift
  /// .init("2027") { database in
  ///   try database.addColumn("domain", to: "Member", type: .text)
  ///   try database.changeRows(of: "Member") { row in
  ///     let mail = try row.value("mail", as: String.self)
  ///     try row.set("domain", to: mail.split(separator: "@").last.map { String($0) })
  ///   }
  /// }
  /// ```
  /// The rows come in the order of their objectIDs, and only one at a time is in memory. To set a
  /// new sealed property, use ``SQLStatement/changingRows(of:_:)`` in the hook of its class,
  /// because only the class says how the property is sealed.
  ///
  /// - Parameters:
  ///   - entity: the entity's name.
  ///   - change: called with each row; if it throws, the call ends.
  /// - Returns: how many rows were changed.
  /// - Throws: the error that `change` throws; ``NacreError`` with code `noSuchEntity`, and
  ///   `migrationPending` for an entity whose rows are being converted. Then no row is changed.
  @discardableResult
  public func changeRows(
    of entity: String,
    _ change: (inout OpenedRow) throws -> Void
  ) throws -> Int {
    guard isWriter else {
      throw NacreError(.transactionState, detail: "rows can be changed only inside write { }")
    }
    return try NacreError.wrapping {
      try transaction(.immediate) { _ in
        try refuseForeignCatalog()
        let columns = try openedColumns(of: entity)
        var count = 0
        let walk = columns.walk(connection.dialect)
        try walk.each(on: connection, { try OpenedRow($0, columns) }) { stored in
          var row = stored
          try change(&row)
          if try store(row, columns) { count += 1 }
        }
        return count
      }
    }
  }

  private func openedColumns(of entity: String) throws -> OpenedColumns {
    let stored = try CatalogEntity.named(entity, on: connection)
    guard stored.name != CatalogEntity.daoName(ofTable: stored.table) else {
      throw NacreError(.noSuchEntity, detail: "\(entity) is the table of a DAO and has no objects")
    }
    if let property = try convertingProperty(of: entity) {
      throw NacreError(.migrationPending, entity: entity, property: property)
    }
    // If a class is being migrated to its version, its new properties have columns but are not in
    // the catalog yet.
    let known = Set(stored.properties.map(\.name))
    let declared = sealedReads.declared.first { $0.name == entity }?.properties ?? []
    let added = declared.filter { !known.contains($0.name) }
    let names = try connection.columnNames(of: stored.table)
    return OpenedColumns(stored, names, adding: added, on: self)
  }

  /// - Returns: whether there was anything to store.
  private func store(_ row: OpenedRow, _ columns: OpenedColumns) throws -> Bool {
    if row.changes.isEmpty { return false }
    let cells = try row.changes.sorted { $0.key < $1.key }.flatMap { place, value in
      try columns.cells(of: value, at: place, row.identity)
    }
    let sql = columns.update(cells.map(\.0), connection.dialect)
    let run = { [connection] in
      try connection.run(sql, [.blob(row.identity.data)] + cells.map(\.1))
    }
    do {
      // A trigger that reads a sealed column would find ciphertext here too. Each statement is
      // checked only once, because the check costs a preparation.
      if columns.isGuarded(sql) { try run() } else { try guardingSealed(sql, run) }
    } catch {
      guard var error = NacreError.wrap(error) as? NacreError else { throw error }
      error.entity = error.entity ?? columns.entity
      error.objectID = row.objectID
      throw error
    }
    return true
  }
}
