import NacreStore

extension Record {
  /// Takes over the values of another record's columns of the same names: so one record is put together from several
  /// tables.
  ///
  /// Its key stays its own, whatever the other's: an update of the merged record writes the row that it is of.
  ///
  /// - Parameters:
  ///   - other: a record of any type; columns that this one does not have are left out.
  ///   - overwriting: whether the other's values replace this one's; otherwise they only fill what is nil here.
  ///   - keepsNil: whether what is nil in the other is kept here; otherwise it is cleared, where it is overwritten.
  /// - Throws: ``NacreError/Code/valueMismatch`` when a value does not fit the property of that name; then nothing is
  ///   taken over.
  public mutating func merge<Other: Record>(
    _ other: Other,
    overwriting: Bool,
    keepsNil: Bool = true
  ) throws {
    let (own, others) = try (
      RecordLayout<Self>.of(Self.tableName), RecordLayout<Other>.of(Other.tableName)
    )
    // In a list first: for an object there is no copy that could be thrown away.
    var taken: [(column: RecordColumn<Self>, value: Value)] = []
    let blank = Self()
    for (column, property) in zip(own.columns, own.schema.properties)
    where column.declaration.role == .value {
      guard let source = others.schema.property(named: property.name) else { continue }
      do {
        let value = try others.columns[source.index].access.get(other)
        if value == .null && (keepsNil || !overwriting) { continue }
        if try !overwriting && column.access.get(self) != .null { continue }
        var probe = blank
        try column.access.set(&probe, value)
        taken.append((column, value))
      } catch {
        throw NacreError.wrap(error, at: own.schema, property: property.index, identity: nil)
      }
    }
    for (column, value) in taken { try column.access.set(&self, value) }
  }
}
