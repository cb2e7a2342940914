import NacreEngine
import NacreStore

/// A rebuild of the decimal columns that a table has without their collation, as earlier versions
/// made them.
///
/// The values stay as they are, and a unique index still tells the same values apart.
package struct DecimalRebuild {
  let schema: RowSchema
  let connection: any EngineConnection

  /// Makes the rebuild of a table.
  package init(schema: RowSchema, connection: any EngineConnection) {
    self.schema = schema
    self.connection = connection
  }

  /// The properties whose columns compare decimals as texts.
  ///
  /// - Throws: The error that the engine reports.
  package var properties: [Property] {
    get throws {
      try schema.properties.filter { property in
        let (column, table) = (property.column, schema.table)
        return try property.comparesDecimals
          && connection.schema.comparesDecimals(column: column, of: table) == false
      }
    }
  }

  /// Rebuilds the columns in the open transaction.
  ///
  /// - Parameter defaults: Returns the value that a new object holds in each property.
  /// - Throws: `schemaMismatch` if an index, view or trigger of the application keeps a column as
  ///   it is.
  package func run(_ defaults: ([Property]) throws -> [String: Value]) throws {
    let properties = try properties
    let defaults = try defaults(properties)
    for property in properties {
      let sql = SchemaSQL(schema: schema, dialect: connection.dialect)
      let rebuild = ColumnRebuild(
        table: schema.table,
        column: property.column,
        type: sql.definition(property, default: defaults[property.name]),
        expression: SQLText.name(property.column)
      )
      do {
        try rebuild.run(on: connection)
      } catch let error as any EngineError where error.kind == .badStatement {
        throw NacreError(
          .schemaMismatch,
          entity: schema.name,
          property: property.name,
          detail:
            "a view or trigger of the application does not let its column change; drop it and "
            + "make it again afterwards",
          cause: error
        )
      } catch {
        throw NacreError.wrap(error, at: schema, property: property.index, identity: nil)
      }
    }
  }
}

extension Store {
  /// Rebuilds the decimal columns that earlier versions made in the classes' tables.
  func rebuildDecimals(of schemas: [EntitySchema]) throws {
    let isNeeded = try read { database in
      try schemas.contains {
        try !DecimalRebuild(schema: $0, connection: database.connection).properties.isEmpty
      }
    }
    guard isNeeded else { return }
    try withWriter { writer in
      try writer.rebuildingDecimals { database in
        for schema in schemas {
          let rebuild = DecimalRebuild(schema: schema, connection: database.connection)
          try rebuild.run { try TableBuilder(database, schema).defaults($0) }
        }
      }
    }
  }
}

extension Database {
  /// Runs a rebuild in one transaction; anybody who knew the tables sees by their layout that they
  /// have changed.
  package func rebuildingDecimals(_ body: (Database) throws -> Void) throws {
    try transaction(.immediate) { database in
      database.undo.note { database.forgetStatements() }
      database.forgetStatements()
      try body(database)
    }
  }
}
