/// A column of a table.
package struct EngineColumn: Sendable {
  /// The name, in the case in which the column was made.
  package let name: String
  /// The type as the engine itself writes it; empty if none was declared.
  package let declaredType: String
  /// The declared type, or the word for it that engines share: `INTEGER`, `REAL`, `TEXT` or `BLOB`; empty if none was
  /// declared, or one for values of any storage class.
  package var type: String
  /// Whether the column refuses NULL.
  package let isNotNull: Bool
  /// The place in the table's primary key, from 1; nil if the column is not part of it.
  package let keyPosition: Int?
  /// The expression of the DEFAULT clause; nil if there is none.
  package let defaultText: String?

  package init(
    name: String,
    type: String,
    isNotNull: Bool,
    keyPosition: Int?,
    defaultText: String?
  ) {
    self.name = name
    declaredType = type
    self.type = type
    self.isNotNull = isNotNull
    self.keyPosition = keyPosition
    self.defaultText = defaultText
  }
}
