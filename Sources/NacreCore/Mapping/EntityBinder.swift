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
    let redirected = RedirectedParameters(statement, count: schema.properties.count)
    var mask: UInt64 = 0
    for (property, parameter) in wanted {
      // The entity's code binds each property once, so it can have only one parameter.
      guard redirected.parameters[property.index] == 0 else { return nil }
      redirected.parameters[property.index] = parameter
      mask |= EntityState.bit(property.index)
    }
    row = RowBinder(
      statement: redirected,
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

/// An adapter that passes the parameters of an entity's row on to those of another statement.
private final class RedirectedParameters: EngineStatement {
  private let statement: any PreparedStatement
  /// The statement's parameter for each property; 0 for none.
  @exclusivity(unchecked) var parameters: [Int32]

  init(_ statement: any PreparedStatement, count: Int) {
    self.statement = statement
    parameters = Array(repeating: 0, count: count)
  }

  /// Returns the statement's own parameter; nil if the property was not asked for.
  ///
  /// The entity's code can bind a property from the 64th on without being asked for it.
  private func parameter(_ index: Int32) -> Int32? {
    let parameter = parameters[Int(index) - 2]
    return parameter == 0 ? nil : parameter
  }

  func bind(_ value: Int64, at index: Int32) throws {
    if let index = parameter(index) { try statement.bind(value, at: index) }
  }
  func bind(_ value: Double, at index: Int32) throws {
    if let index = parameter(index) { try statement.bind(value, at: index) }
  }
  func bind(text: String, at index: Int32) throws {
    if let index = parameter(index) { try statement.bind(text: text, at: index) }
  }
  func bind(blob: UnsafeRawBufferPointer, at index: Int32) throws {
    if let index = parameter(index) { try statement.bind(blob: blob, at: index) }
  }
  func bindNull(at index: Int32) throws {
    if let index = parameter(index) { try statement.bindNull(at: index) }
  }

  // A binder never runs or reads the statement.
  func run() throws {}
  func step() throws -> Bool { false }
  func reset() {}
  package func integer(at index: Int32) -> Int64? { nil }
  func real(at index: Int32) -> Double? { nil }
  func string(at index: Int32) -> String? { nil }
  func bytes(at index: Int32) -> UnsafeRawBufferPointer? { nil }
  func isNull(at index: Int32) -> Bool { true }
  func storageClass(at index: Int32) -> StorageClass { .null }
}
