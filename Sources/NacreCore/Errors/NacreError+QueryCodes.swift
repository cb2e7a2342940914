// What a query can be wrong in.
extension NacreError.Code {
  /// A page's index lies before the first one, or a size, limit or offset is too small.
  public static let badPage = Self(
    "badPage",
    "There can be no such page",
    "Ask for an index from that of the first page on, a size above 0, a limit and an offset from 0 on."
  )
  /// A sum lies beyond what its type holds.
  public static let overflow = Self(
    "overflow",
    "A sum is greater than its type can hold",
    "Nothing was changed."
  )
  /// Rows have no column of the name that is asked for.
  public static let noSuchColumn = Self(
    "noSuchColumn",
    "The rows have no such column",
    "Name it in the statement's SELECT, by AS where it is computed."
  )
}
