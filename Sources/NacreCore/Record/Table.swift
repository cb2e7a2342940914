import NacreEngine
import NacreStore

/// The rows of one record type in one table, which Nacre makes when it is first used.
///
/// A `Table` holds no rows itself. You can make a new one for each use, and use it on any task or
/// thread.
/// ```swift
/// let students = Table<Student>()
/// var student = Student()
/// student.name = "Ada"
/// try students.insert(&student)                                  // student.id is set
/// let ada = try students.fetchOne(\.name, equals: "Ada")
/// try students.updateAll([.set(\.age, to: 20)], where: "age < ?", 20)
/// ```
/// An error names the table and the column, and the record of a list by its ``NacreError/index``;
/// it never holds a value. An export includes the tables that have sealed columns; create these
/// tables before you import into them.
public struct Table<R: Record>: Sendable {
  /// The table's name, to which sealed values are bound as well.
  public let name: String
  private let chosen: Store?

  /// Refers to the table of that name in the store of the innermost `read` or `write` on the
  /// thread, or else in the default store.
  ///
  /// - Parameter name: the table's name.
  public init(_ name: String = R.tableName) { self.init(name, chosen: nil) }

  private init(_ name: String, chosen: Store?) {
    self.name = name
    self.chosen = chosen
  }

  /// Returns the table in the given store, wherever it is used.
  public func `in`(_ store: Store) -> Table { Table(name, chosen: store) }

  /// The store that the table is in, for the caller's own SQL:
  /// `table.store.write { database in … }`.
  ///
  /// - Throws: ``NacreError/Code/noDefaultStore`` if no store was chosen and there is no default
  ///   store.
  public var store: Store {
    get throws { try chosen ?? Store.current(for: nil) }
  }

  var schema: RecordSchema<R> { get throws { try RecordSchema.of(name) } }

  /// Makes the table now, or adds the columns that it lacks.
  ///
  /// It runs in a transaction of its own or in the caller's.
  ///
  /// You need not call it, because the first use of the table does the same.
  ///
  /// - Throws: ``NacreError``, also if the file has another table of that name.
  public func create() throws {
    let schema = try schema
    try store.withWriterApart { _ = try $0.entities.plan(for: schema) }
  }

  /// Makes the table or brings it up to date, and rebuilds columns of decimals that compare texts.
  ///
  /// Earlier versions of Nacre made such columns; a rebuilt column compares numbers. Otherwise it
  /// does the same as ``create()``.
  ///
  /// A rebuild writes every row anew, in a transaction of its own or in the caller's. The values
  /// stay as they are.
  ///
  /// - Throws: ``NacreError``; `schemaMismatch` if an index, view or trigger of the application
  ///   prevents the rebuild of a column.
  public func migrate() throws {
    let schema = try schema
    try store.withWriter { try $0.entities.migrate(schema) }
  }

  /// Returns the names of the table's columns in the file, also of those that the record does not
  /// have.
  ///
  /// - Throws: ``NacreError``.
  public func columnNames() throws -> [String] {
    let schema = try schema
    return try store.withReader { try $0.entities.columnNames(schema) }
  }

  /// Returns the stored form of a key that a caller gave.
  static func key(_ key: [any StorableValue]) throws -> [Value] {
    try NacreError.wrapping { try key.map { try $0.storedValue } }
  }

  /// Returns the stored forms of keys of one column each.
  static func keys(_ keys: some Sequence<some StorableValue>) throws -> [[Value]] {
    try keys.map { try key([$0]) }
  }

  /// Returns a search by the values of one property.
  func match<V>(_ path: KeyPath<R, V>, _ values: [V], limit: Int = .max) throws -> PropertyMatch {
    try PropertyMatch(path, of: schema, in: values, limit: limit, for: store)
  }
}

extension RecordSchema {
  /// Returns a condition with its arguments, whose lists are spread into single arguments.
  func condition(
    _ text: String?,
    _ arguments: [(any QueryArgument)?]
  ) throws -> (text: String?, values: [Value]) {
    // Without a condition there is no parameter for an argument.
    let sql = try SQLArguments(text ?? "", arguments, dates: dateArguments)
    return (text == nil ? nil : sql.text, sql.values)
  }

  /// Returns a condition with named arguments, whose lists are spread into single arguments.
  func condition(
    _ text: String,
    _ arguments: NamedArguments
  ) throws -> (text: String?, values: [Value]) {
    let sql = try SQLArguments(text, arguments, dates: dateArguments)
    return (sql.text, sql.values)
  }

  /// Returns the request for a query as its caller wrote it.
  func request(
    _ condition: String?,
    _ arguments: [(any QueryArgument)?],
    _ order: String?,
    _ page: Int?,
    _ size: Int?
  ) throws -> RecordRequest {
    request(try self.condition(condition, arguments), order, page, size)
  }

  /// Does the same for a condition that was already made.
  func request(
    _ condition: (text: String?, values: [Value]),
    _ order: String?,
    _ page: Int?,
    _ size: Int?
  ) -> RecordRequest {
    var request = RecordRequest()
    request.terms.condition = condition.text
    request.terms.order = order
    if let range = PagePlace.range(page, size: size) {
      (request.terms.limit, request.terms.offset) = range
    }
    request.arguments = condition.values
    return request
  }
}

/// A query for records, as its caller wrote it.
struct RecordRequest: Sendable {
  var terms = QueryTerms()
  var arguments: [Value] = []
}
