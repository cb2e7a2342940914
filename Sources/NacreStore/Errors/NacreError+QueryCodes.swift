// Codes of queries.
extension NacreError.Code {
  /// A page's index is before the first page, or a size, limit or offset is too small.
  public static let badPage = Self(
    "badPage",
    "There can be no such page",
    "Ask for an index from that of the first page on, a size above 0, a limit and an offset from 0 on."
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
    "Name it in the statement's SELECT, by AS where it is computed."
  )
  /// A condition has a Date argument, and the columns that it can be compared with hold dates in several forms.
  public static let ambiguousDate = Self(
    "ambiguousDate",
    "The columns hold dates in several forms, and the condition does not tell which one a Date has",
    "Wrap the Date as the column that it is compared with has it: in RealDate, IntegerDate or ISO8601Date."
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
    "The column compares decimals as texts, to which 10 is less than 9",
    "Write `COLLATE nacre_decimal` behind its name."
  )
}
