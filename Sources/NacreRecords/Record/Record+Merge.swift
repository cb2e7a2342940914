import NacreCore
import NacreEngine
import NacreStore

extension Record {
  /// Copies the values of another record's columns that have the same names.
  ///
  /// So one record can be put together from several tables.
  ///
  /// It keeps its own key, whatever the other's is, so an update of the merged record writes to its
  /// own row.
  ///
  /// - Parameters:
  ///   - other: a record of any type; columns that this record does not have are skipped.
  ///   - overwriting: whether the other's values replace this record's; otherwise they fill only
  ///     properties that are nil here.
  ///   - keepsNil: whether a nil in the other record leaves this record's value as it is; otherwise
  ///     it clears the value if `overwriting` is true.
  /// - Throws: ``NacreError/Code/valueMismatch`` if a value does not fit the property of that name;
  ///   then nothing is copied.
  public mutating func merge<Other: Record>(
    _ other: Other,
    overwriting: Bool,
    keepsNil: Bool = true
  ) throws {
    let (own, others) = try (
      RecordSchema<Self>.of(Self.tableName), RecordSchema<Other>.of(Other.tableName)
    )
    // Collect the values first: if the record is an object, there is no copy to discard after an
    // error.
    var taken: [(column: RecordColumn<Self>, value: Value)] = []
    let blank = Self()
    for (column, property) in zip(own.columns, own.properties) where column.role == .value {
      guard let source = others.row.property(named: property.name) else { continue }
      do {
        let value = try others.columns[source.index].get(other)
        if value == .null && (keepsNil || !overwriting) { continue }
        if try !overwriting && column.get(self) != .null { continue }
        var probe = blank
        try column.set(&probe, value)
        taken.append((column, value))
      } catch {
        throw NacreError.wrap(error, at: own.row, property: property.index, identity: nil)
      }
    }
    for (column, value) in taken { try column.set(&self, value) }
  }
}
