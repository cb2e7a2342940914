import NacreEngine

// Codes of queries.
extension NacreError.Code {
  /// A page's index is before the first page, or a size, limit or offset is too small.
  public static let badPage = Self(
    "badPage",
    "Such a page can't exist",
    "Use an index that is not below the first page's, a size above 0, and a limit and an offset "
      + "of at least 0."
  )
  /// A sum does not fit in its type.
  public static let overflow = Self(
    "overflow",
    "A sum is greater than its type can hold",
    "Nothing was changed."
  )
  /// The rows have no column with the requested name.
  public static let noSuchColumn = Self(
    "noSuchColumn",
    "The rows have no such column",
    "Name the column in the statement's SELECT; name a computed one with AS."
  )
  /// A condition has a Date argument, and the columns that it can be compared with hold dates in several forms.
  public static let ambiguousDate = Self(
    "ambiguousDate",
    "The columns hold dates in several forms, and the condition does not tell which form its "
      + "Date has",
    "Wrap the Date in the form of the column that it is compared with: RealDate, IntegerDate or "
      + "ISO8601Date."
  )
  /// An argument of a condition has another type than the column that it is compared with, and can never equal it.
  public static let unequalArgument = Self(
    "unequalArgument",
    "An argument can never be equal to the column that the condition compares it with",
    "Pass a value of the property's own type."
  )
  /// A condition or an order uses a column of decimals that compares them as texts.
  public static let decimalsAsTexts = Self(
    "decimalsAsTexts",
    "The column compares decimals as texts, so that 10 is less than 9",
    "Write `COLLATE nacre_decimal` after the column's name."
  )
}
