package import NacreEngine
import NacreStore

/// A binder of one entity's properties to parameters of a statement that is not the entity's own.
///
/// It uses the entity's own code, which is several times as fast as reading each property by its
/// name.
package final class EntityBinder {
  private let row: RowBinder

  /// Makes a binder; nil if the entity has children or links, or a wanted property is sealed or
  /// comes twice.
  ///
  /// - Parameters:
  ///   - type: the entity.
  ///   - wanted: the properties, each with the parameter that it is bound to.
  ///   - statement: the statement with these parameters.
  ///   - database: the statement's connection.
  package init?(
    _ type: any Entity.Type,
    _ wanted: [(property: Property, parameter: Int32)],
    _ statement: any PreparedStatement,
    on database: Database
  ) {
    let schema = type.entitySchema
    guard schema.isFlat, !wanted.contains(where: { $0.property.isSealed }) else { return nil }
    let redirected = RedirectedStatement(statement, count: schema.properties.count)
    var mask: UInt64 = 0
    for (property, parameter) in wanted {
      // The entity's code binds each property once, so it can have only one parameter.
      guard redirected.places[property.index] < 0 else { return nil }
      redirected.place(property, at: parameter)
      mask |= EntityState.bit(property.index)
    }
    row = RowBinder(
      statement: redirected,
      prepared: nil,
      mask: mask,
      schema: schema,
      store: database.home.number,
      sealing: FieldSealing(schema: schema, database: database)
    )
  }

  /// Binds an object's properties.
  ///
  /// - Throws: ``NacreError`` for a value that has no stored form.
  package func bind(_ object: some Entity) throws { try object.bindProperties(to: row) }
}
