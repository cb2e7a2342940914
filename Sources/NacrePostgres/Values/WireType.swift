#if PostgreSQL
/// A type of the server whose binary form this module knows, by its number in `pg_type` (pg_type.dat of PostgreSQL's
/// sources).
enum WireType: UInt32 {
  case bool = 16
  case bytea = 17
  case name = 19
  case bigint = 20
  case smallint = 21
  case integer = 23
  case text = 25
  case oid = 26
  case json = 114
  case real = 700
  case doublePrecision = 701
  case unknown = 705
  case bpchar = 1042
  case varchar = 1043
  case numeric = 1700
  case uuid = 2950
  case uuidArray = 2951
  /// The composite type of columns that hold values of any class; its number differs between databases, and is none of
  /// the server's own.
  case any = 0

  /// The name of the composite type of columns that hold values of any class.
  static let anyName = "nacre_value"
  /// The statement that makes that type, with its fields in the order of ``AnyField``.
  static let createAny = """
    CREATE TYPE "\(anyName)" AS ("integer" bigint, "real" double precision, "text" text COLLATE "C", \
    "blob" bytea)
    """
  /// Selects the number of that type, which is NULL if the database has none.
  static let selectAny = "SELECT to_regtype('\"\(anyName)\"')::oid"

  /// Knows a type by its number; nil for one that is read and bound as text.
  init?(_ number: UInt32, any: UInt32) {
    if number == any, any != 0 {
      self = .any
    } else if number != 0, let type = WireType(rawValue: number) {
      self = type
    } else {
      return nil
    }
  }
}

/// The fields of the composite type of columns that hold values of any class; all but one are NULL.
enum AnyField: Int {
  case integer, real, text, blob

  /// The number of fields.
  static let count = 4

  /// The field's own type.
  var type: WireType {
    switch self {
    case .integer: .bigint
    case .real: .doublePrecision
    case .text: .text
    case .blob: .bytea
    }
  }
}
#endif
