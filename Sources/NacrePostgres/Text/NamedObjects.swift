#if PostgreSQL
/// The names in a statement's text, as the server takes them.
struct NamedObjects {
  private(set) var names: Set<String> = []
  /// Whether a star, or TABLE before a name, can stand for all columns.
  private(set) var hasStar = false
  /// A function of the server that is called and that runs SQL in a text; nil if there is none.
  private(set) var runner: String?
  /// Whether the statement gives new names, or drops something, and reads no column.
  private(set) var onlyNames = false
  /// The words without quotes.
  private var words: Set<String> = []

  init(_ text: String) {
    add(text)
    let isOther = !words.isDisjoint(with: ["add", "using"])
    var scanner = PostgresScanner(text)
    guard let (piece, range) = scanner.nextPiece(), piece == .word else { return }
    switch scanner.name(piece, range) {
    case "drop": onlyNames = true
    case "alter": onlyNames = !isOther && !words.isDisjoint(with: ["rename", "drop"])
    default: break
    }
  }

  /// Adds the names of another text, which runs with the statement.
  mutating func add(_ text: String) {
    var scanner = PostgresScanner(text)
    var (last, lastWord, lastName) = (UInt8(0), "", "")
    // A star behind a parenthesis, which multiplies if a value follows.
    var isOpen = false
    while let (piece, range) = scanner.nextPiece() {
      let first = scanner.bytes[range.lowerBound]
      var word = ""
      if piece == .word {
        word = scanner.name(piece, range)
        words.insert(word)
        if word == "table", !Self.wordsBeforeTable.contains(lastWord) { hasStar = true }
      }
      if isOpen, Self.endsList(first) || Self.wordsBehindList.contains(word) { hasStar = true }
      isOpen = false
      switch piece {
      case .word, .name:
        lastName = scanner.name(piece, range)
        names.insert(lastName)
        last = 0
      case .other:
        // After a parenthesis, as in `count(*)`, it is no list of columns, and after a number or a name it multiplies;
        // `SELECT *`, `t.*` and `, *` are lists.
        if first == UInt8(ascii: "*") {
          if last == 0 || last == UInt8(ascii: ".") || last == UInt8(ascii: ",") { hasStar = true }
          isOpen = last == UInt8(ascii: ")")
        }
        if first == UInt8(ascii: "("), last == 0, Self.runners.contains(lastName) {
          runner = lastName
        }
        last = first
      default: last = first
      }
      lastWord = word
    }
    if isOpen { hasStar = true }
  }

  private static func endsList(_ byte: UInt8) -> Bool { ",);".utf8.contains(byte) }

  /// The words behind `SELECT DISTINCT ON (…) *`.
  private static let wordsBehindList: Set = [
    "except", "fetch", "for", "from", "group", "having", "intersect", "into", "limit", "offset",
    "order", "union", "where", "window",
  ]

  /// The words behind which TABLE is no query of all columns.
  private static let wordsBeforeTable: Set = [
    "alter", "create", "drop", "foreign", "global", "local", "lock", "on", "returns", "temp",
    "temporary",
    "truncate", "unlogged",
  ]

  /// The events of the triggers that can run (pg_trigger.h: 4 INSERT, 8 DELETE, 16 UPDATE, 32 TRUNCATE); 0 for a text that
  /// only reads.
  var events: Int64 {
    [("insert", 4), ("delete", 8), ("update", 16), ("truncate", 32), ("merge", 28), ("copy", 4)]
      .reduce(0) { words.contains($1.0) ? $0 | $1.1 : $0 }
  }

  /// The functions of the server that run SQL, or read tables, by a text.
  private static let runners: Set = [
    "cursor_to_xml", "database_to_xml", "database_to_xml_and_xmlschema", "dblink", "dblink_exec",
    "dblink_open", "dblink_send_query", "query_to_xml", "query_to_xml_and_xmlschema",
    "schema_to_xml", "schema_to_xml_and_xmlschema", "table_to_xml", "table_to_xml_and_xmlschema",
    "ts_rewrite", "ts_stat",
  ]
}
#endif
