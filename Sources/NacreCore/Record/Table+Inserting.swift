import NacreStore

// A key that was set stays set when the transaction around the call is rolled back: a struct can't be taken back from
// its owner. Set it to nil before such a record is inserted again.

extension Table {
  /// Stores a record as a new row, and sets the key that the database has made where the record had none.
  ///
  /// - Parameter record: the record; properties that are nil get their column's default, in the row alone.
  /// - Throws: ``NacreError``: `invalidRecord` with what the record's validation has thrown, `constraint` where the key
  ///   or a unique value is taken. Nothing is stored then.
  public func insert(_ record: inout R) throws {
    let layout = try layout
    try store.withWriter { try $0.entities.insert(&record, layout) }
  }

  /// Stores an object as a new row, and sets the key that the database has made where it had none.
  ///
  /// - Throws: ``NacreError``; nothing is stored then.
  public func insert(_ record: R) throws where R: AnyObject {
    var record = record
    try insert(&record)
  }

  /// Stores records as new rows in one transaction, or in the caller's, all or none.
  ///
  /// - Parameter records: any sequence, such as a lazy one; their keys are not set.
  /// - Returns: how many there were.
  /// - Throws: ``NacreError``, whose `index` says which record could not be stored.
  @discardableResult
  public func insert(contentsOf records: some Sequence<R>) throws -> Int {
    let layout = try layout
    return try store.withWriter { try $0.entities.insert(contentsOf: records, layout) }
  }

  /// Stores records as new rows in one transaction, or in the caller's, all or none, and sets their keys.
  ///
  /// - Throws: ``NacreError``, whose `index` says which record could not be stored; then no key is set.
  public func insert(contentsOf records: inout [R]) throws {
    let layout = try layout
    try store.withWriter { try $0.entities.insert(contentsOf: &records, layout) }
  }

  /// Writes a record over the row that has the same key, or stores it as a new one, in the caller's transaction if
  /// there is one.
  ///
  /// - Parameters:
  ///   - record: the record, whose key is that of the row afterwards.
  ///   - keepsNil: whether properties that are nil leave the row as it is; otherwise they clear it, or set the column's
  ///     default.
  /// - Throws: ``NacreError``; nothing is changed then.
  public func upsert(_ record: inout R, keepsNil: Bool = false) throws {
    let layout = try layout
    try store.withWriter { try $0.entities.upsert(&record, layout, by: nil, keepsNil: keepsNil) }
  }

  /// Writes a record over the row that has the same value in a unique column, or else the same key, or stores it as a
  /// new one, in the caller's transaction if there is one.
  ///
  /// - Parameters:
  ///   - record: the record, whose key is that of the row afterwards.
  ///   - path: a property whose column is unique, sealed or not, or the key.
  ///   - keepsNil: whether properties that are nil leave the row as it is; otherwise they clear it, or set the column's
  ///     default.
  /// - Throws: ``NacreError``, also when the property is nil and not the key; nothing is changed then.
  public func upsert<V>(
    _ record: inout R,
    by path: WritableKeyPath<R, V>,
    keepsNil: Bool = false
  ) throws {
    let layout = try layout
    try store.withWriter { try $0.entities.upsert(&record, layout, by: path, keepsNil: keepsNil) }
  }
}
