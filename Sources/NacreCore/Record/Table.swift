import NacreStore

/// The rows of one record type in one table, which is made when it is first used.
///
/// A table holds nothing itself: it can be made anew for each use, and used from any task or thread.
/// ```swift
/// let students = Table<Student>()
/// var student = Student()
/// student.name = "Ada"
/// try students.insert(&student)                                  // student.id is set
/// let ada = try students.fetchOne(\.name, equals: "Ada")
/// try students.updateAll([.set(\.age, to: 20)], where: "age < ?", 20)
/// ```
/// An error of a call names the table and the column, and the record of a list by its
/// ``NacreError/index``; it never holds a value. An export carries the tables that have sealed
/// columns; they are created before they are imported into.
public struct Table<R: Record>: Sendable {
  /// The table's name, under which sealed values are bound, too.
  public let name: String
  private let chosen: Store?

  /// The table of that name in the store of the innermost `read` or `write` on the thread, or else the default one.
  ///
  /// - Parameter name: the table's name.
  public init(_ name: String = R.tableName) { self.init(name, chosen: nil) }

  private init(_ name: String, chosen: Store?) {
    self.name = name
    self.chosen = chosen
  }

  /// The table in a store, wherever it is used.
  public func `in`(_ store: Store) -> Table { Table(name, chosen: store) }

  /// The store that the table is in, for what needs SQL of the caller's own: `table.store.write { database in … }`.
  ///
  /// - Throws: ``NacreError/Code/noDefaultStore`` where none was chosen and there is none.
  public var store: Store {
    get throws { try chosen ?? Store.current(for: nil) }
  }

  var layout: RecordLayout<R> { get throws { try RecordLayout.of(name) } }

  /// Makes the table now, in a transaction of its own or the caller's; one that is there gets the columns that it lacks.
  ///
  /// There is no need to: its first use does the same.
  ///
  /// - Throws: ``NacreError``, also when the file has another table of that name.
  public func create() throws {
    let layout = try layout
    try store.withWriterApart { _ = try $0.entities.plan(for: layout) }
  }

  /// Makes the table, or brings it up to date: besides what ``create()`` does, columns of decimals that compare texts, as
  /// earlier versions made them, are rebuilt and compare numbers from then on.
  ///
  /// Every row is written anew, in a transaction of its own or the caller's; values stay as they are.
  ///
  /// - Throws: ``NacreError``; `schemaMismatch` where an index, view or trigger of the application's own keeps a column.
  public func migrate() throws {
    let layout = try layout
    try store.withWriter { try $0.entities.migrate(layout) }
  }

  /// The names of the table's columns in the file, also of those that the record does not have.
  ///
  /// - Throws: ``NacreError``.
  public func columnNames() throws -> [String] {
    let layout = try layout
    return try store.withReader { try $0.entities.columnNames(layout) }
  }

  /// A key that a caller gave.
  static func key(_ key: [any StorableValue]) throws -> [Value] {
    try NacreError.wrapping { try key.map { try $0.storedValue } }
  }

  /// Keys of one column each.
  static func keys(_ keys: some Sequence<some StorableValue>) throws -> [[Value]] {
    try keys.map { try key([$0]) }
  }

  /// A search by the values of one property.
  func match<V>(_ path: KeyPath<R, V>, _ values: [V], limit: Int = .max) throws -> PropertyMatch {
    try PropertyMatch(path, of: layout.schema, in: values, limit: limit, for: store)
  }
}

extension RecordLayout {
  /// A condition with its arguments, of which lists are spread.
  func condition(
    _ text: String?,
    _ arguments: [(any QueryArgument)?]
  ) throws -> (text: String?, values: [Value]) {
    // Without a condition there is no parameter for an argument.
    let sql = try SQLArguments(text ?? "", arguments, dates: schema.dateArguments)
    return (text == nil ? nil : sql.text, sql.values)
  }

  /// A condition with named arguments, of which lists are spread.
  func condition(
    _ text: String,
    _ arguments: NamedArguments
  ) throws -> (text: String?, values: [Value]) {
    let sql = try SQLArguments(text, arguments, dates: schema.dateArguments)
    return (sql.text, sql.values)
  }

  /// A query as its caller wrote it.
  func request(
    _ condition: String?,
    _ arguments: [(any QueryArgument)?],
    _ order: String?,
    _ page: Int?,
    _ size: Int?
  ) throws -> RecordRequest {
    request(try self.condition(condition, arguments), order, page, size)
  }

  /// The same for a condition that was made already.
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
