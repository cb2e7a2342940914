import Foundation
public import NacreEngine
import NacreStore
import NacreUpkeep

// Changes of tables by name, for migration steps and for `write`. They also change what the catalog
// says of an entity's table.

extension Database {
  /// Drops a table, if it exists.
  ///
  /// With an entity's table, this also drops the tables of its relationships and all properties
  /// that lead to the entity. A class that is still used makes its table again, empty.
  ///
  /// - Throws: ``NacreError``.
  public func dropTable(_ table: String) throws {
    try changingSchema(of: table) { entity in
      guard let entity else { return try run(MigrationSQL.dropTable(table)) }
      try FullTextIndex.drop(ofTable: entity.table, with: nil, on: connection)
      var leading: [(String, String)] = []
      try connection.each(MigrationSQL.propertiesLeadingTo, [.text(entity.name)]) { row in
        leading.append((row.text(at: 0), row.text(at: 1)))
      }
      for (other, property) in leading { try dropProperty(property, of: other) }
      for join in entity.properties.compactMap(\.join) { try run(MigrationSQL.dropTable(join)) }
      try changeCatalog(DAOSQL.remember(connection.dialect), [.text(entity.name)])
      try changeCatalog(CatalogSQL.deleteProperties, [.text(entity.name)])
      try changeCatalog(CatalogSQL.deleteEntity, [.text(entity.name)])
      try run(MigrationSQL.dropTable(entity.table))
    }
  }

  /// Adds a column to a table.
  ///
  /// A class that declares a property for the column takes the column over as it is. If the
  /// property is not optional, rows that hold NULL get the property's default.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - table: The table's name.
  ///   - type: The storage class of the column's values.
  ///   - isNotNull: Whether the column refuses NULL, for which it needs a default.
  ///   - defaultValue: The value of existing rows, and of new rows that give none.
  /// - Throws: ``NacreError``.
  public func addColumn(
    _ column: String,
    to table: String,
    type: StorageClass,
    isNotNull: Bool = false,
    default defaultValue: Value? = nil
  ) throws {
    try changingSchema(of: table) { _ in
      try run(
        MigrationSQL.addColumn(
          column,
          to: table,
          type: connection.dialect.type(type),
          isNotNull: isNotNull,
          preset: defaultValue.map { SQLText.literal($0, connection.dialect) }
        )
      )
    }
  }

  /// Renames a column.
  ///
  /// A property that has its column's name is renamed with it. If its values are sealed, they are
  /// sealed anew.
  ///
  /// - Throws: ``NacreError``.
  public func renameColumn(_ column: String, of table: String, to name: String) throws {
    try changingSchema(of: table) { entity in
      guard let entity, let property = entity.property(inColumn: column) else {
        return try run(MigrationSQL.renameColumn(column, of: table, to: name))
      }
      var renamed = property
      renamed.column = name
      if property.name == property.column { renamed.name = name }
      let rename = PropertyRename(
        entity: entity.name,
        table: entity.table,
        old: property,
        new: renamed
      )
      try rename.run(on: self)
    }
  }

  /// Drops a column with its indexes, and the property that it stores.
  ///
  /// - Throws: ``NacreError``.
  public func dropColumn(_ column: String, of table: String) throws {
    try changingSchema(of: table) { entity in
      if let entity, let property = entity.property(inColumn: column) {
        return try dropProperty(property.name, of: entity.name)
      }
      try dropColumn(column, inTable: table)
    }
  }

  /// Drops a property that the class no longer has, with all its values.
  ///
  /// A class that still has the property gets it back without its values.
  ///
  /// - Parameters:
  ///   - property: The property's name.
  ///   - entity: The entity's name.
  /// - Throws: ``NacreError`` with code `noSuchEntity` or `noSuchProperty`.
  public func dropProperty(_ property: String, of entity: String) throws {
    let stored = try NacreError.wrapping { try CatalogEntity.named(entity, on: connection) }
    try changingSchema(of: stored.table) { _ in
      let row = try stored.property(named: property)
      for column in [row.indexColumn, row.column].compactMap({ $0 }) {
        try dropColumn(column, inTable: stored.table)
        try changeCatalog(MigrationSQL.deleteInverse, [.text(entity), .text(column)])
      }
      if let column = row.column { try dropPosition(of: column, row.kind, inTable: stored.table) }
      if let join = row.join { try run(MigrationSQL.dropTable(join)) }
      try changeCatalog(DAOSQL.remember(connection.dialect), [.text(entity)])
      try changeCatalog(CatalogSQL.deleteProperty, [.text(entity), .text(property)])
    }
  }

  /// Gives the column of an unsealed property another type, and every row the value of an
  /// expression.
  ///
  /// ```swift
  /// try database.changeType(of: "power", in: "Car", to: .text, using: "CAST(power AS TEXT)")
  /// ```
  /// The class must declare the property with that type from then on.
  ///
  /// - Parameters:
  ///   - property: The property's name.
  ///   - entity: The entity's name.
  ///   - type: The storage class of the column's values afterwards.
  ///   - expression: The new value, in SQL over the columns of the row.
  /// - Throws: ``NacreError`` with code `noSuchEntity` or `noSuchProperty`; `schemaMismatch` for a
  ///   property that is sealed or is not a value; in a step, `sealedCondition` for an expression
  ///   that reads a sealed property.
  public func changeType(
    of property: String,
    in entity: String,
    to type: StorageClass,
    using expression: String
  ) throws {
    let stored = try NacreError.wrapping { try CatalogEntity.named(entity, on: connection) }
    try changingSchema(of: stored.table) { _ in
      var row = try stored.property(named: property)
      guard let column = row.column, row.kind == "value", !row.isSealed else {
        throw NacreError(
          .schemaMismatch,
          entity: entity,
          property: property,
          detail: "only a value that is not sealed can get another type; store it in plain first"
        )
      }
      let affinity = TableSQL.affinity(type)
      let rebuild = ColumnRebuild(
        table: stored.table,
        column: column,
        type: connection.dialect.type(type),
        expression: expression
      )
      try guardingSealed(expression) { try rebuild.probe(on: connection) }
      try rebuild.run(on: connection)
      row.type = affinity
      try changeCatalog(
        CatalogSQL.insertProperty(connection.dialect),
        row.arguments(entity: entity)
      )
    }
  }

  /// Makes an index, if there is none of its name.
  ///
  /// Declare a property's own index at the property. This method is for an index over several
  /// columns, or over a table without a class. A unique index that it makes tells decimals apart by
  /// their texts.
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - columns: The columns, in order.
  ///   - isUnique: Whether no two rows may hold the same values in all of the columns.
  ///   - name: The index's name; nil for `<table>_by_<column>_<column>`.
  /// - Throws: ``NacreError`` with code `sealedCondition` for a column that holds envelopes;
  ///   `constraint` if the rows violate a unique index.
  public func createIndex(
    on table: String,
    columns: [String],
    unique isUnique: Bool = false,
    name: String? = nil
  ) throws {
    let sealed = home.sealedColumns
    if let column = columns.first(where: { sealed.contains(table, $0) }) {
      throw NacreError(
        .sealedCondition,
        entity: table,
        property: column,
        detail: inMigration(
          "an index would only order ciphertext; mark the property @Encrypted(searchable: true)"
        )
      )
    }
    let name = name ?? ([table + "_by"] + columns).joined(separator: "_")
    try changingSchema(of: table) { _ in
      let decimals = try columns.filter { try connection.comparesDecimals($0, of: table) }
      let sql = MigrationSQL.createIndex(
        name,
        on: table,
        columns: columns,
        isUnique: isUnique,
        asTexts: isUnique ? Set(decimals) : [],
        connection.dialect
      )
      try run(sql)
    }
  }

  /// Drops an index, if it exists.
  ///
  /// An index that a class declares is made again when the class is used.
  ///
  /// - Throws: ``NacreError``.
  public func dropIndex(_ name: String) throws {
    try changingSchema(of: nil) { _ in try run(MigrationSQL.dropIndex(name)) }
  }

  // MARK: -

  private func run(_ sql: String) throws { try connection.execute(sql) }

  /// Drops the column with the objects' places in a list that a link stores, if it exists.
  private func dropPosition(of column: String, _ kind: String, inTable table: String) throws {
    let position = CatalogProperty.positionColumn(of: column)
    guard kind == "link", try TableLayout(table, on: connection).column(position) != nil else {
      return
    }
    try dropColumn(position, inTable: table)
  }

  private func dropColumn(_ column: String, inTable table: String) throws {
    try FullTextIndex.drop(ofTable: table, with: column, on: connection)
    try ColumnRebuild.dropIndexes(over: column, of: table, on: connection)
    try run(MigrationSQL.dropColumn(column, of: table))
  }

  /// Runs a change in one transaction, and makes everybody who knew the tables look again.
  private func changingSchema(
    of table: String?,
    _ body: (CatalogEntity?) throws -> Void
  ) throws {
    guard isWriter else {
      throw NacreError(.transactionState, detail: "tables can be changed only inside write { }")
    }
    if let table, SQLName(table).hasPrefix("nacre_") {
      throw NacreError(.badStatement, detail: "\(table) is one of the store's own tables")
    }
    hasTriggersOrReferences = nil
    try transaction(.immediate) { _ in
      try noteNewLayout()
      try refuseForeignCatalog()
      let entity = try table.flatMap { try self.entity(ofTable: $0) }
      try body(entity)
      try noteNewLayout()
    }
  }

  private func entity(ofTable table: String) throws -> CatalogEntity? {
    guard case .text(let name)? = try scalar(CatalogSQL.entityOfTable, [.text(table)]) else {
      return nil
    }
    if let property = try convertingProperty(of: name) {
      throw NacreError(.migrationPending, entity: name, property: property)
    }
    return try CatalogEntity.named(name, on: connection)
  }

  private func noteNewLayout() throws {
    forgetStatements()
    try sealedReads.follow(on: connection)
    hasOwnTables = true
    let forget = { [unowned self] in
      forgetStatements()
      hasOwnTables = false
      try? home.loadSealedColumns(self)
    }
    undo.note(forget)
    undo.onCommit { forget() }
  }
}

extension CatalogEntity {
  fileprivate func property(named property: String) throws -> CatalogProperty {
    guard let found = properties.first(where: { $0.name == property }) else {
      throw NacreError(.noSuchProperty, entity: name, detail: property)
    }
    return found
  }
}
