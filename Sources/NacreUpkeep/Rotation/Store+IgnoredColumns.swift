package import NacreStore

extension Store {
  /// Returns the ignored columns that a rotation seals anew all the same.
  ///
  /// - Parameter options: The options of the rotation, with the columns to ignore.
  /// - Returns: The columns that the catalog calls sealed, or that hold a copy of a DAO's values.
  /// - Throws: ``NacreError``, as the rotation does before it begins.
  package func resealedColumns(among options: RotationOptions) throws -> [StoredColumn] {
    if options.ignoredColumns.isEmpty { return [] }
    return try read { database in
      let strays = try database.daoStrays(
        naming: { $0.keysToRetire(options.purposes, isPromoted: false) },
        ignoring: options.ignoredColumns
      )
      let resealed = try CatalogEntity.withSealed(on: database).including(strays).flatMap {
        entity in
        entity.sealed.compactMap { property in
          property.column.map { StoredColumn(table: entity.table, column: $0) }
        }
      }
      return options.ignoredColumns.filter { column in resealed.contains { $0.isSame(as: column) } }
    }
  }
}
