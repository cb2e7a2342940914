// Codes of the catalog for tables that were not made by Nacre's own statements.
extension NacreError.Code {
  /// A column of an ordinary table can't hold sealed values, or holds those of another property.
  public static let unsuitableColumn = Self(
    "unsuitableColumn",
    "The column can't hold these sealed values",
    "It must belong to an ordinary table with rowids and hold one property of one class."
  )
}
