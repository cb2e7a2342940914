import Foundation
package import NacreSQLite
import NacreStore

/// Which columns of a statement go into which properties of an entity.
///
/// It is found out once for a statement that runs many times.
package final class EntityColumns {
  fileprivate let columns: [(index: Int32, property: Property)]
  fileprivate let schema: EntitySchema
  /// The column before the first property's, where the columns are all properties in their order.
  fileprivate let base: Int32?
  /// The columns in which NULL could be read as nil, and is what a new object has instead.
  fileprivate let defaulted: [Int32]
  /// The sealing that a row's reader needs; nil if the entity's own code can't read the columns,
  /// because it has children, links or sealed properties.
  fileprivate let sealing: FieldSealing?

  /// Compares the columns with an entity's properties.
  ///
  /// - Parameters:
  ///   - type: the entity.
  ///   - columns: which column goes into which property.
  ///   - database: the statement's connection.
  package init<E: Entity>(
    _ type: E.Type,
    _ columns: [(index: Int32, property: Property)],
    on database: Database
  ) {
    self.columns = columns
    schema = type.entitySchema
    let properties = schema.properties
    let new = E()
    let isOwn = schema.isFlat && !properties.contains { $0.isSealed }
    sealing = isOwn ? FieldSealing(schema: schema, database: database) : nil
    let first = columns.first?.index ?? 0
    let isInOrder = columns.enumerated().allSatisfy { place, column in
      column.property.index == place && column.index == first + Int32(place)
    }
    base = isInOrder && columns.count == properties.count ? first - 1 : nil
    // In one that takes no NULL the entity's own code does not read it either.
    defaulted = columns.filter { column in
      column.property.acceptsNull && (try? column.property.stored(of: new)) != .null
    }.map(\.index)
  }
}

/// Makes new objects of one entity of the rows of a statement that is not the entity's own.
///
/// A property without a column, or with NULL in it, has the value that a new object has. The entity's own code does it;
/// where a column has another form than the property's, each property is set by its name.
package final class EntityFiller<E: Entity> {
  private let columns: EntityColumns
  private let statement: Statement
  /// Reads the statement's own columns.
  private let direct: RowReader?
  /// Reads them in the properties' order, with a new object's values in the gaps.
  private lazy var redirected: RowReader? = {
    guard columns.sealing != nil else { return nil }
    let row = RedirectedColumns(statement, E(), E(), columns.columns)
    return row.flatMap { Self.reader(of: $0, columns, 0) }
  }()

  /// Prepares to make objects.
  ///
  /// - Parameters:
  ///   - columns: which column goes into which property.
  ///   - statement: the statement that gives the rows.
  package init(_ columns: EntityColumns, _ statement: Statement) {
    self.columns = columns
    self.statement = statement
    direct = columns.base.flatMap { Self.reader(of: statement, columns, $0) }
  }

  private static func reader(
    of row: any EngineStatement,
    _ columns: EntityColumns,
    _ base: Int32
  ) -> RowReader? {
    columns.sealing.map {
      RowReader(statement: row, base: base, schema: columns.schema, store: 0, sealing: $0)
    }
  }

  /// A new object of the row on which the statement is.
  ///
  /// - Throws: ``NacreError`` for a column that does not fit.
  package func object() throws -> E {
    let isWhole = direct != nil && !columns.defaulted.contains { statement.isNull(at: $0) }
    if let reader = isWhole ? direct : redirected, let object = try? E(row: reader) {
      object.entityState = EntityState()
      return object
    }
    let object = E()
    for (index, property) in columns.columns {
      try property.fill(object, from: statement, at: index)
    }
    return object
  }
}

/// A statement whose columns are those of an entity's row, from column 1 on.
private final class RedirectedColumns: EngineStatement {
  private let statement: Statement
  /// The statement's column for each property; -1 is none.
  private var columns: [Int32]
  /// The properties' values in a new object.
  private let defaults: [Value]
  /// Those of them that are bytes, at a place where they stay.
  private let blobs: [UnsafeMutableRawBufferPointer?]

  /// Nil where a property has no stored form in a new object, or another one in each, such as an identifier.
  init?<E: Entity>(
    _ statement: Statement,
    _ new: E,
    _ other: E,
    _ wanted: [(index: Int32, property: Property)]
  ) {
    let properties = E.entitySchema.properties
    var defaults: [Value] = []
    for property in properties {
      guard let value = try? property.stored(of: new),
        value == (try? property.stored(of: other))
      else { return nil }
      defaults.append(value)
    }
    self.statement = statement
    self.defaults = defaults
    blobs = defaults.map { value in
      guard case .blob(let data) = value else { return nil }
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 1)
      bytes.copyBytes(from: data)
      return bytes
    }
    columns = Array(repeating: -1, count: properties.count)
    for (index, property) in wanted { columns[property.index] = index }
  }

  deinit { for bytes in blobs { bytes?.deallocate() } }

  /// The statement's own column, where it holds something.
  private func column(_ index: Int32) -> Int32? {
    let column = columns[Int(index) - 1]
    return column < 0 || statement.isNull(at: column) ? nil : column
  }

  private func value(_ index: Int32) -> Value { defaults[Int(index) - 1] }

  package func integer(at index: Int32) -> Int64? {
    if let column = column(index) { return statement.integer(at: column) }
    if case .integer(let number) = value(index) { return number }
    return nil
  }

  func real(at index: Int32) -> Double? {
    if let column = column(index) { return statement.real(at: column) }
    if case .real(let number) = value(index) { return number }
    return nil
  }

  func string(at index: Int32) -> String? {
    if let column = column(index) { return statement.string(at: column) }
    if case .text(let text) = value(index) { return text }
    return nil
  }

  func bytes(at index: Int32) -> UnsafeRawBufferPointer? {
    if let column = column(index) { return statement.bytes(at: column) }
    return blobs[Int(index) - 1].map { UnsafeRawBufferPointer($0) }
  }

  func isNull(at index: Int32) -> Bool {
    column(index) == nil && value(index) == .null
  }

  func storageClass(at index: Int32) -> StorageClass {
    if let column = column(index) { return statement.storageClass(at: column) }
    return value(index).storageClass
  }

  // It is stepped by whoever has the statement itself, and nothing is bound.
  func run() throws {}
  func step() throws -> Bool { false }
  func reset() {}
  func bind(_ value: Int64, at index: Int32) throws {}
  func bind(_ value: Double, at index: Int32) throws {}
  func bind(text: String, at index: Int32) throws {}
  func bind(blob: UnsafeRawBufferPointer, at index: Int32) throws {}
  func bindNull(at index: Int32) throws {}
}
