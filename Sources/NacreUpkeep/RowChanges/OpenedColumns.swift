import NacreSQLite
import NacreStore

/// The columns of an entity's table that a migration reads and sets, with what opens and seals their cells.
final class OpenedColumns {
  /// A column.
  private struct Column {
    let name: String
    /// The property that it holds; nil where none does.
    let property: CatalogProperty?
  }

  let entity: String
  let table: String
  private let database: Database
  private let columns: [Column]
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
    var owners: [String: CatalogProperty] = [:]
    var own: Set = ["objectid", VersionSQL.name.lowercased()]
    for property in stored.properties + added {
      guard let column = property.column else { continue }
      owners[column.lowercased()] = property
      own.insert(CatalogProperty.positionColumn(of: column).lowercased())
      if let index = property.indexColumn { own.insert(index.lowercased()) }
    }
    columns = names.map { Column(name: $0, property: owners[$0.lowercased()]) }
    var places: [String: Int] = [:]
    for (place, column) in columns.enumerated() {
      let isOwn = column.property == nil && own.contains(column.name.lowercased())
      if !isOwn { places[column.property?.name ?? column.name] = place }
    }
    self.places = places
  }

  /// Reads the row behind the objectID in parameter 1: objectID, and each column.
  var nextRow: String { MigrationSQL.nextRow(columns.map(\.name), of: table) }

  /// Stores cells of the row whose objectID is parameter 1; who has loaded it finds it changed.
  func update(_ names: [String]) -> String {
    let raises = columns.contains { VersionSQL.isName($0.name) }
    return VerifySQL.update(table: table, columns: names, raisingVersion: raises)
  }

  /// Whether a text was asked about before; from then on it was.
  func isGuarded(_ sql: String) -> Bool { !guarded.insert(sql).inserted }

  /// Where the values of a property are.
  ///
  /// - Throws: `noSuchProperty`.
  func place(of property: String) throws -> Int {
    if let place = places[property] { return place }
    throw NacreError(.noSuchProperty, entity: entity, detail: database.inMigration(property))
  }

  /// The value of a cell.
  func open(_ cell: Value, at place: Int, _ identity: ObjectID) throws -> Value {
    guard let codec = try codec(at: place) else { return cell }
    return try codec.value(cell, identity)
  }

  /// Refuses a value that the property could not be read from.
  ///
  /// - Throws: ``ValueError``.
  func check(_ value: Value, at place: Int) throws {
    guard let property = columns[place].property else { return }
    let expected = ConversionForm.ColumnType(rawValue: property.type)?.storageClass ?? .blob
    let acceptsNull = property.isOptional ?? true
    if value == .null ? acceptsNull : value.storageClass == expected { return }
    throw ValueError.unexpected(found: value.storageClass, expected: expected)
  }

  /// The columns that a value is stored in with the cells that they get.
  func cells(of value: Value, at place: Int, _ identity: ObjectID) throws -> [(String, Value)] {
    let column = columns[place]
    guard let codec = try codec(at: place) else { return [(column.name, value)] }
    return try naming(column.property?.name ?? column.name, identity) {
      let cell = (column.name, try codec.cell(value, identity))
      guard let index = column.property?.indexColumn else { return [cell] }
      return [cell, (index, try codec.token(value))]
    }
  }

  /// Runs what opens, seals or converts a value; its errors name the property and the object.
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
