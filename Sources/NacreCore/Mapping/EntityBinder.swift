package import NacreSQLite
import NacreStore

/// Binds properties of one entity's objects to parameters of a statement that is not the entity's own.
///
/// The entity's own code does it, which is several times as fast as to ask for each property by its name.
package final class EntityBinder {
  private let row: RowBinder

  /// Prepares to bind; nil where the entity's code can't: with children, links, and sealed properties among the wanted.
  ///
  /// - Parameters:
  ///   - type: the entity.
  ///   - wanted: properties, each with the parameter that it is bound to.
  ///   - statement: whose parameters these are.
  ///   - database: the statement's connection.
  package init?(
    _ type: any Entity.Type,
    _ wanted: [(property: Property, parameter: Int32)],
    _ statement: Statement,
    on database: Database
  ) {
    let schema = type.entitySchema
    guard schema.isFlat, !wanted.contains(where: { $0.property.isSealed }) else { return nil }
    let redirected = RedirectedParameters(statement, count: schema.properties.count)
    var mask: UInt64 = 0
    for (property, parameter) in wanted {
      // It is bound once.
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

/// A statement whose parameters are those of an entity's row.
private final class RedirectedParameters: EngineStatement {
  private let statement: Statement
  /// The statement's parameter for each property; 0 is none.
  @exclusivity(unchecked) var parameters: [Int32]

  init(_ statement: Statement, count: Int) {
    self.statement = statement
    parameters = Array(repeating: 0, count: count)
  }

  /// The statement's own parameter; a property from the 64th on can come without being asked for.
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

  // Nothing is read of what is bound.
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
