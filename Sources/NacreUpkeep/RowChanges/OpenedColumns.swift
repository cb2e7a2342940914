import NacreEngine
import NacreStore

/// The columns of an entity's table that a migration reads and sets, with the codecs of their
/// cells.
final class OpenedColumns {
  let entity: String
  let table: String
  private let database: Database
  /// Each column, with the property that it holds; nil if it holds none.
  private let columns: [(name: String, property: CatalogProperty?)]
  private let places: [String: Int]
  private var codecs: [Int: ConversionCodec] = [:]
  private var guarded: Set<String> = []

  /// - Parameters:
  ///   - stored: the entity as the catalog has it.
  ///   - names: the names of the table's columns, in their order.
  ///   - added: properties that have a column and are not in the catalog yet.
  ///   - database: the connection, in whose transaction rows are changed.
  init(
    _ stored: CatalogEntity,
    _ names: [String],
    adding added: [CatalogProperty],
    on database: Database
  ) {
    entity = stored.name
    table = stored.table
    self.database = database
    var owners: [SQLName: CatalogProperty] = [:]
    var own: Set = [SQLName("objectID"), SQLName(VersionSQL.name)]
    for property in stored.properties + added {
      guard let column = property.column else { continue }
      owners[SQLName(column)] = property
      own.insert(SQLName(CatalogProperty.positionColumn(of: column)))
      if let index = property.indexColumn { own.insert(SQLName(index)) }
    }
    columns = names.map { ($0, owners[SQLName($0)]) }
    var places: [String: Int] = [:]
    for (place, column) in columns.enumerated() {
      let isOwn = column.property == nil && own.contains(SQLName(column.name))
      if !isOwn { places[column.property?.name ?? column.name] = place }
    }
    self.places = places
  }

  /// Returns the walk through the rows, each its objectID and then each column.
  func walk(_ dialect: any Dialect) -> TableWalk {
    TableWalk(table: table, columns: columns.map(\.name), dialect)
  }

  /// Returns the statement that stores cells of the row whose objectID is parameter 1.
  ///
  /// It raises the row's version if the table has one, so that code that has loaded the object
  /// finds it changed.
  func update(_ names: [String], _ dialect: any Dialect) -> String {
    let raises = columns.contains { VersionSQL.isName($0.name) }
    return VerifySQL.update(table: table, columns: names, raisingVersion: raises, dialect)
  }

  /// Returns whether it was called with the statement before, and remembers the statement.
  func isGuarded(_ sql: String) -> Bool { !guarded.insert(sql).inserted }

  /// Returns the index of a property's column.
  ///
  /// - Throws: `noSuchProperty`, which names the property and the object.
  func place(of property: String, in identity: ObjectID) throws -> Int {
    if let place = places[property] { return place }
    throw NacreError(
      .noSuchProperty,
      entity: entity,
      property: property,
      objectID: identity.uuid,
      detail: database.inMigration(property)
    )
  }

  /// Returns the value of a cell, opened if the column is sealed.
  func open(_ cell: Value, at place: Int, _ identity: ObjectID) throws -> Value {
    guard let codec = try codec(at: place) else { return cell }
    return try codec.value(cell, identity)
  }

  /// Throws if the property can't be read from a value.
  ///
  /// - Throws: ``ValueError``.
  func check(_ value: Value, at place: Int) throws {
    guard let property = columns[place].property else { return }
    let expected = ConversionForm.ColumnType(rawValue: property.type)?.storageClass ?? .blob
    let acceptsNull = property.isOptional ?? true
    if value == .null ? acceptsNull : value.storageClass == expected { return }
    throw ValueError.unexpected(found: value.storageClass, expected: expected)
  }

  /// Returns the names of the columns that store a value, each with its new cell.
  func cells(of value: Value, at place: Int, _ identity: ObjectID) throws -> [(String, Value)] {
    let column = columns[place]
    guard let codec = try codec(at: place) else { return [(column.name, value)] }
    return try naming(column.property?.name ?? column.name, identity) {
      let names = [column.name, column.property?.indexColumn].compactMap { $0 }
      return Array(zip(names, try codec.cells(value, identity)))
    }
  }

  /// Runs a body that opens, seals or converts a value; its errors name the property and the
  /// object.
  func naming<T>(_ property: String, _ identity: ObjectID, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw NacreError.wrap(error, entity: entity, property: property, objectID: identity.uuid)
    }
  }

  private func codec(at place: Int) throws -> ConversionCodec? {
    guard let property = columns[place].property, property.isSealed else { return nil }
    if let codec = codecs[place] { return codec }
    let codec = try ConversionCodec(
      ConversionPlace(entity: entity, property: property.name),
      ConversionForm(property),
      on: database
    )
    codecs[place] = codec
    return codec
  }
}
