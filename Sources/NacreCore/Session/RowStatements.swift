import NacreCrypto
import NacreEngine
import NacreStore

/// The statements of one table of rows on one connection.
///
/// It writes the statements of queries, checks their terms, searches, and seals values.
package final class RowStatements {
  let schema: RowSchema
  /// The statements of the table.
  package let sql: RowSQL
  // Unsafe holds: the session owns its statements and outlives them.
  unowned(unsafe) let session: EntitySession
  /// Seals and opens the values of sealed properties.
  package let sealing: FieldSealing
  /// The terms that are known to read no sealed property, each with the arguments that must fit a
  /// column.
  var verified: (version: Int, terms: [QueryTerms: [ComparedArgument]]) = (0, [:])
  /// The plans of the predicates that were translated.
  var predicates = PredicatePlans()

  /// Makes the statements of a table on a connection.
  package init(schema: RowSchema, session: EntitySession) {
    self.schema = schema
    self.session = session
    sql = RowSQL(schema: schema, dialect: session.connection.dialect)
    sealing = FieldSealing(schema: schema, database: session.database)
  }

  /// Seals a property outside of an object, into the parameters that the table's updates use for
  /// it.
  package func seal(
    _ value: Value,
    _ property: Property,
    _ identity: ObjectID,
    into statement: any PreparedStatement
  ) throws {
    do {
      try sealing.seal(value, property: property.index, identity: identity, into: statement)
    } catch {
      throw NacreError.wrap(error, at: schema, property: property.index, identity: identity)
    }
  }

  /// Opens a sealed property outside of an object.
  package func open(
    _ statement: any EngineStatement,
    at column: Int32,
    _ property: Property,
    _ identity: ObjectID
  ) throws -> Value {
    do {
      return try sealing.open(statement, at: column, property: property.index, identity: identity)
    } catch {
      throw NacreError.wrap(error, at: schema, property: property.index, identity: identity)
    }
  }
}
