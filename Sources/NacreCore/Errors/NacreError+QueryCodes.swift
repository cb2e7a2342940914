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
  /// A condition has a Date as an argument, and the columns that it can be compared with hold dates in several forms.
  public static let ambiguousDate = Self(
    "ambiguousDate",
    "The columns hold dates in several forms, and the condition does not tell which one a Date has",
    "Wrap the Date as the column that it is compared with has it: in RealDate, IntegerDate or ISO8601Date."
  )
  /// An argument of a condition is of another type than the column that it is compared with, and can't be equal to it.
  public static let unequalArgument = Self(
    "unequalArgument",
    "An argument can never be equal to the column that the condition compares it with",
    "Pass a value of the property's own type."
  )
  /// A condition or an order compares decimals in a column that compares their texts.
  public static let decimalsAsTexts = Self(
    "decimalsAsTexts",
    "The column compares decimals as texts, to which 10 is less than 9",
    "Write `COLLATE nacre_decimal` behind its name."
  )
}
