public import Foundation
import NacreCore
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
/// try students.where("age < ?", 20).updateAll(.set(\.age, to: 20))
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

  // MARK: Queries

  /// The query for all records; it can do what a query for objects can.
  /// ```swift
  /// let oldest = try Table<Student>().all.ordered(by: "age DESC").limit(3).fetchAll()
  /// ```
  public var all: Query<R> { Query(RecordRows<R>(name: name), in: chosen) }

  /// Returns the query for the records that match a condition.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument, such as `"age > ?"`; a list is an argument of
  ///     `IN (?)`.
  ///   - arguments: the values of the `?`.
  /// - Returns: the query.
  public func `where`(_ condition: String, _ arguments: (any QueryArgument)?...) -> Query<R> {
    all.matching(condition, arguments)
  }

  /// Returns the query for the records that match a condition with named arguments.
  /// ```swift
  /// let some = Table<Student>().where(
  ///   "age > :least AND name IN (:names)",
  ///   ["least": 20, "names": ["Ada", "Bob"]]
  /// )
  /// let students = try some.ordered(by: "age DESC").fetchAll()
  /// ```
  ///
  /// - Parameters:
  ///   - condition: SQL with `:name` for each argument, such as `"age > :least"`.
  ///   - arguments: the values by name; a list is an argument of `IN (:name)`. An argument that is
  ///     missing, or whose name the text does not have, is an error when the query runs.
  /// - Returns: the query.
  public func `where`(_ condition: String, _ arguments: NamedArguments) -> Query<R> {
    all.matching(condition, arguments)
  }

  /// Returns the query for the records that match a predicate.
  /// ```swift
  /// let grown = students.where(#Predicate { $0.name.starts(with: "A") && $0.score > 3 })
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: over stored properties; a sealed one supports only `==`, `!=` and `contains` of
  ///     a list, and only if it is searchable.
  ///   - filteringInMemory: whether Nacre evaluates a predicate that has no SQL on all stored
  ///     records, one after another, each time the query runs; otherwise such a predicate is an
  ///     error.
  /// - Returns: the query.
  public func `where`(_ predicate: Predicate<R>, filteringInMemory: Bool = false) -> Query<R> {
    all.matching(predicate, filteringInMemory: filteringInMemory)
  }

  /// Returns the query for the records whose property has a value.
  ///
  /// - Parameters:
  ///   - property: a plain property, or a sealed one that is searchable.
  ///   - value: the value; nil finds the records that have none.
  /// - Returns: the query.
  public func `where`<V: Sendable>(_ property: KeyPath<R, V>, equals value: V) -> Query<R> {
    all.where(property, equals: value)
  }

  /// Returns the query for the records whose property has one of the values.
  public func `where`<V: Sendable>(
    _ property: KeyPath<R, V>,
    in values: some Sequence<V>
  ) -> Query<R> {
    all.where(property, in: values)
  }

  // MARK: The table itself

  /// Makes the table now, or adds the columns that it lacks.
  ///
  /// It runs in a transaction of its own or in the caller's.
  ///
  /// You need not call it, because the first use of the table does the same.
  ///
  /// - Throws: ``NacreError``, also if the file has another table of that name.
  public func create() throws {
    let schema = try schema
    try store.withWriterApart { _ = try $0.entities.statements(for: schema) }
  }

  /// The async twin of ``create()``.
  ///
  /// - Throws: ``NacreError``.
  public func create(isolation: isolated (any Actor)? = #isolation) async throws {
    try await write { _ = try $0.statements(for: $1) }
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
  public func migrate() throws { try write { try $0.migrate($1) } }

  /// The async twin of ``migrate()``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func migrate(isolation: isolated (any Actor)? = #isolation) async throws {
    try await write { try $0.migrate($1) }
  }

  /// Returns the names of the table's columns in the file, also of those that the record does not
  /// have.
  ///
  /// - Throws: ``NacreError``.
  public func columnNames() throws -> [String] { try read { try $0.columnNames($1) } }

  /// The async twin of ``columnNames()``.
  ///
  /// - Throws: ``NacreError``.
  public func columnNames() async throws -> [String] {
    try await readFresh { try $0.columnNames($1) }
  }

  // MARK: Connections

  var schema: RecordSchema<R> { get throws { try RecordSchema.of(name) } }

  /// Runs `body` on a reader.
  @inline(__always)
  func read<T>(_ body: (EntitySession, RecordSchema<R>) throws -> T) throws -> T {
    let schema = try schema
    return try store.withReader { try body($0.entities, schema) }
  }

  /// Runs `body` on a reader and a thread of its own, because nothing else refers to the records
  /// yet.
  func readFresh<T>(
    _ body: @escaping @Sendable (EntitySession, RecordSchema<R>) throws -> T
  ) async throws -> sending T {
    let schema = try schema
    return try await store.readFresh { try body($0.entities, schema) }
  }

  /// Runs `body` on the writer.
  @inline(__always)
  func write<T>(_ body: (EntitySession, RecordSchema<R>) throws -> T) throws -> T {
    let schema = try schema
    return try store.withWriter { try body($0.entities, schema) }
  }

  /// Waits for the writer, and runs `body` on the caller's own actor, because the records stay
  /// there.
  func write<T>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (EntitySession, RecordSchema<R>) throws -> T
  ) async throws -> T {
    let schema = try schema
    return try await store.withWriterAsync(isolation: isolation) { try body($0.entities, schema) }
  }

  /// Returns the stored form of a key that a caller gave.
  static func key(_ key: [any StorableValue]) throws -> [Value] {
    try NacreError.wrapping { try key.map { try $0.storedValue } }
  }

  /// Returns the stored forms of keys of one column each.
  static func keys(_ keys: some Sequence<some StorableValue>) throws -> [[Value]] {
    try keys.map { try key([$0]) }
  }
}
