import NacreCore
import NacreStore

// If the transaction around the call is rolled back, the record keeps the key that was set, because
// its owner has the struct back and Nacre can't change it any more. Set the key to nil before you
// insert such a record again.

extension Table {
  /// Stores a record as a new row, and sets its key if the database generated one.
  ///
  /// - Parameter record: the record; if a property is nil, the row gets the column's default, and
  ///   the property stays nil.
  /// - Throws: ``NacreError``: `invalidRecord` with the error of the record's validation,
  ///   `constraint` if the key or a unique value is taken. Nothing is stored then.
  public func insert(_ record: inout R) throws {
    try write { try $0.insert(&record, $1) }
  }

  /// The async twin of ``insert(_:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func insert(
    _ record: inout R,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await write { try $0.insert(&record, $1) }
  }

  /// Stores an object as a new row, and sets its key if the database generated one.
  ///
  /// - Throws: ``NacreError``; nothing is stored then.
  public func insert(_ record: R) throws where R: AnyObject {
    var record = record
    try insert(&record)
  }

  /// The async twin of ``insert(_:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func insert(
    _ record: R,
    isolation: isolated (any Actor)? = #isolation
  ) async throws where R: AnyObject {
    var record = record
    try await insert(&record, isolation: isolation)
  }

  /// Stores records as new rows, all or none, in one transaction or in the caller's.
  ///
  /// - Parameter records: any sequence, such as a lazy one; the records' keys are not set.
  /// - Returns: how many there were.
  /// - Throws: ``NacreError``, whose `index` says which record could not be stored.
  @discardableResult
  public func insert(contentsOf records: some Sequence<R>) throws -> Int {
    try write { try $0.insert(contentsOf: records, $1) }
  }

  /// The async twin of ``insert(contentsOf:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func insert(
    contentsOf records: some Sequence<R>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    try await write { try $0.insert(contentsOf: records, $1) }
  }

  /// Stores records as new rows, all or none, in one transaction or in the caller's, and sets their
  /// keys.
  ///
  /// - Throws: ``NacreError``, whose `index` says which record could not be stored; then no key is
  ///   set.
  public func insert(contentsOf records: inout [R]) throws {
    try write { try $0.insert(contentsOf: &records, $1) }
  }

  /// The async twin of ``insert(contentsOf:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func insert(
    contentsOf records: inout [R],
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await write { try $0.insert(contentsOf: &records, $1) }
  }

  /// Writes a record over the row that has the same key, or stores it as a new row.
  ///
  /// It runs in the caller's transaction if there is one.
  ///
  /// - Parameters:
  ///   - record: the record; afterwards it has the row's key.
  ///   - keepsNil: whether properties that are nil leave their columns as they are; otherwise they
  ///     clear them, or set the column's default.
  /// - Throws: ``NacreError``; nothing is changed then.
  public func upsert(_ record: inout R, keepsNil: Bool = false) throws {
    try write { try $0.upsert(&record, $1, by: nil, keepsNil: keepsNil) }
  }

  /// The async twin of ``upsert(_:keepsNil:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func upsert(
    _ record: inout R,
    keepsNil: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await write { try $0.upsert(&record, $1, by: nil, keepsNil: keepsNil) }
  }

  /// Writes a record over the row that has the same value in a unique column, or stores it as a new
  /// row.
  ///
  /// If no row has the value, the record is written over the row that has the same key. It runs in
  /// the caller's transaction if there is one.
  ///
  /// - Parameters:
  ///   - record: the record; afterwards it has the row's key.
  ///   - path: a property whose column is unique, sealed or not, or the key.
  ///   - keepsNil: whether properties that are nil leave their columns as they are; otherwise they
  ///     clear them, or set the column's default.
  /// - Throws: ``NacreError``, also if the property is nil and not the key; nothing is changed
  ///   then.
  public func upsert<V>(
    _ record: inout R,
    by path: WritableKeyPath<R, V>,
    keepsNil: Bool = false
  ) throws {
    try write { try $0.upsert(&record, $1, by: path, keepsNil: keepsNil) }
  }

  /// The async twin of ``upsert(_:by:keepsNil:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func upsert<V>(
    _ record: inout R,
    by path: WritableKeyPath<R, V>,
    keepsNil: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await write { try $0.upsert(&record, $1, by: path, keepsNil: keepsNil) }
  }
}
