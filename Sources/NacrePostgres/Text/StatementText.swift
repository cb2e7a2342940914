#if PostgreSQL
import NacreEngine

/// The text of one statement, with its parameters as the server writes them: `$1`, `$2` and so on.
///
/// It is written with `?`, `?1` or `:name`, numbered as SQLite numbers them: a bare `?` has the number after the largest
/// one before it, and so has a name that was not there before. The operator `?` is written as `??`. As on SQLite, `main."T"`
/// is a table of the store, and `temp."T"` one of the connection.
struct StatementText {
  /// The largest number of a parameter (PostgreSQL's documentation, appendix K).
  static let maximumParameterCount = 65_535
  /// The largest number of parameters: libpq takes a longer description of them for a broken connection.
  static let describedParameterCount = 7_000
  /// The largest number of bytes of a name; the server cuts a longer one.
  static let maximumNameByteCount = 63

  /// The text as it was written.
  let sql: String
  /// The text for the server.
  let text: String
  /// The number of parameters that the server has.
  var serverCount: Int { serverNumbers.count { $0 != nil } }
  /// The names of the parameters with their colon; nil for one that has a number.
  let parameterNames: [String?]
  /// The server's number of each parameter, from 1; nil for one that the text does not have.
  ///
  /// The server wants every number up to the largest one, so it gets numbers in the order in which they come.
  let serverNumbers: [Int?]
  /// The first word, in lower case; empty if the text begins with something else.
  let firstWord: String
  /// The second word, in the same form.
  let secondWord: String
  /// Whether a query has an INTO of its own, by which it makes a table.
  private let selectsInto: Bool
  /// Whether it has a word with which a statement that writes begins.
  private let namesWriting: Bool

  /// Reads the text of exactly one statement.
  ///
  /// - Throws: An error of kind `badStatement` for no statement, for more than one, and for names and numbers that the
  ///   server does not take as they stand.
  init(_ sql: String) throws(PostgresError) {
    let statements = try Self.statements(of: sql)
    guard let first = statements.first else {
      throw PostgresError(.badStatement, "the text holds no statement", sql: sql)
    }
    guard statements.count == 1 else {
      throw PostgresError(.badStatement, "the text holds more than one statement", sql: sql)
    }
    self = first
  }

  /// Returns the statements of a text.
  ///
  /// - Parameters:
  ///   - sql: The text.
  ///   - main: The schema of the store's tables as SQL writes it; empty to leave it to the search path.
  /// - Returns: Them in their order.
  /// - Throws: The same errors, except for the number of statements.
  static func statements(of sql: String, main: String = "") throws(PostgresError)
    -> [StatementText]
  {
    guard !sql.utf8.contains(0) else {
      throw PostgresError(.badStatement, "the text of a statement can't hold a NUL", sql: nil)
    }
    var scanner = PostgresScanner(sql)
    var statements: [StatementText] = []
    while let statement = try StatementText(&scanner, sql, main: main) {
      statements.append(statement)
    }
    // Whatever comes behind it, such as a LIMIT, would be no part of the statement.
    guard scanner.openCommentCount == 0 else {
      throw PostgresError(.badStatement, "a comment in the statement does not end", sql: nil)
    }
    return statements
  }

  /// Reads the next statement; nil if there is none.
  private init?(
    _ scanner: inout PostgresScanner,
    _ sql: String,
    main: String
  ) throws(PostgresError) {
    var reading = Reading()
    var start: Int?
    var end = 0
    while let (piece, range) = scanner.nextPiece() {
      if piece == .semicolon {
        if start == nil { continue }
        break
      }
      if start == nil {
        start = range.lowerBound
        end = range.lowerBound
      }
      if piece == .word, let (written, after) = Self.schema(range, in: scanner, main) {
        reading.bytes += scanner.bytes[end..<range.lowerBound]
        reading.bytes += written.utf8
        end = after
      }
      if let written = try reading.take(piece, scanner.text(range), sql) {
        reading.bytes += scanner.bytes[end..<range.lowerBound]
        reading.bytes += written.utf8
        end = range.upperBound
      }
      reading.last = range.upperBound
    }
    guard let start else { return nil }
    reading.bytes += scanner.bytes[end..<reading.last]
    self.sql = String(decoding: scanner.bytes[start..<reading.last], as: UTF8.self)
    text = String(decoding: reading.bytes, as: UTF8.self)
    parameterNames = reading.names
    serverNumbers = reading.numbers
    firstWord = reading.words.first ?? ""
    secondWord = reading.words.count > 1 ? reading.words[1] : ""
    namesWriting = reading.namesWriting
    selectsInto = reading.selectsInto && ["select", "with"].contains(firstWord)
  }

  /// Returns what stands for `main` or `temp` before a name in quotes, and where the rest begins; nil for other words.
  ///
  /// A store's tables are in the first schema of the search path, and those of the connection in the last.
  private static func schema(
    _ range: Range<Int>,
    in scanner: PostgresScanner,
    _ main: String
  ) -> (written: String, after: Int)? {
    guard scanner.bytes[range.upperBound...].starts(with: ".\"".utf8) else { return nil }
    switch scanner.text(range) {
    case "main": return (main, main.isEmpty ? range.upperBound + 1 : range.upperBound)
    case "temp": return ("pg_temp", range.upperBound)
    default: return nil
    }
  }

  /// Whether the statement begins or ends a transaction, or sets or removes a savepoint.
  var controlsTransaction: Bool {
    switch firstWord {
    case "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release": true
    case "prepare": secondWord == "transaction"
    case "set": secondWord == "transaction" || secondWord == "session"
    default: false
    }
  }

  /// Whether the statement changes the session beyond the end of a transaction.
  var changesSession: Bool {
    switch firstWord {
    case "set": !["local", "transaction", "constraints"].contains(secondWord)
    case "prepare": secondWord != "transaction"
    case "reset", "discard", "listen", "unlisten", "load", "deallocate": true
    default: false
    }
  }

  /// Whether the statement can change tables or other objects of the schema.
  var changesLayout: Bool {
    selectsInto
      || ["create", "alter", "drop", "do", "call", "import", "reassign"].contains(firstWord)
  }

  /// Whether the statement can be run twice, because it begins as one that reads.
  var onlyReads: Bool { ["select", "values", "table"].contains(firstWord) }

  /// Whether the server takes the statement for a cursor.
  var canBeCursor: Bool {
    (onlyReads || firstWord == "with" && !namesWriting) && !selectsInto
  }

  /// Whether the statement stores none of its parameters, because it reads or deletes.
  var onlyCompares: Bool {
    ["select", "delete", "values", "table", "explain", "show", "fetch"].contains(firstWord)
  }
}

/// The state of reading one statement.
private struct Reading {
  /// The text for the server, up to the last parameter.
  var bytes: [UInt8] = []
  var names: [String?] = []
  /// The server's number of each parameter, once it has come.
  var numbers: [Int?] = []
  private var serverCount = 0
  /// The first two pieces, if they are words.
  var words: [String] = []
  /// Whether an INTO was read that belongs to no INSERT or MERGE.
  private(set) var selectsInto = false
  /// Whether a word was read with which a statement that writes begins.
  private(set) var namesWriting = false
  private var isBehindInsert = false
  /// The end of the last piece.
  var last = 0
  private var isBeginning = true

  /// Returns what the server gets in place of a piece; nil for the piece itself.
  mutating func take(
    _ piece: PostgresScanner.Piece,
    _ text: String,
    _ sql: String
  ) throws(PostgresError) -> String? {
    if piece == .word, isBeginning, words.count < 2 {
      words.append(PostgresScanner.lowercased(text.utf8))
    } else {
      isBeginning = false
    }
    if piece == .word {
      let word = PostgresScanner.lowercased(text.utf8)
      if ["insert", "update", "delete", "merge"].contains(word) { namesWriting = true }
      if word == "into", !isBehindInsert { selectsInto = true }
      isBehindInsert = word == "insert" || word == "merge"
    }
    switch piece {
    case .word: try check(text, text.utf8.count, sql)
    case .name:
      guard text.hasPrefix("\"") else {
        // Nobody could tell which table or column it names, because its escape can be any character.
        throw PostgresError(.badStatement, "write the name \(text) itself, without U&", sql: sql)
      }
      let quotes = text.utf8.dropFirst().dropLast().count { $0 == UInt8(ascii: "\"") }
      try check(text, text.utf8.count - 2 - quotes / 2, sql)
    case .mark(let number): return try place(number ?? names.count + 1, sql)
    case .dollarMark(let number): return try place(number, sql)
    case .namedMark: return try place(named: text, sql)
    case .questionOperator: return "?"
    case .literal, .semicolon, .other: break
    }
    return nil
  }

  private func check(_ name: String, _ count: Int, _ sql: String) throws(PostgresError) {
    guard count <= StatementText.maximumNameByteCount else {
      throw PostgresError(
        .badStatement,
        """
        the name \(name) has \(count) bytes, more than the \(StatementText.maximumNameByteCount) that \
        PostgreSQL keeps
        """,
        sql: sql
      )
    }
  }

  private mutating func place(_ number: Int, _ sql: String) throws(PostgresError) -> String {
    guard 1...StatementText.maximumParameterCount ~= number else {
      throw PostgresError(
        .badStatement,
        "a parameter has a number from 1 to \(StatementText.maximumParameterCount)",
        sql: sql
      )
    }
    while names.count < number {
      names.append(nil)
      numbers.append(nil)
    }
    return "$\(serverNumber(number - 1))"
  }

  private mutating func serverNumber(_ index: Int) -> Int {
    if let number = numbers[index] { return number }
    serverCount += 1
    numbers[index] = serverCount
    return serverCount
  }

  private mutating func place(named name: String, _ sql: String) throws(PostgresError) -> String {
    if let index = names.firstIndex(where: { $0?.utf8.elementsEqual(name.utf8) ?? false }) {
      return "$\(serverNumber(index))"
    }
    let text = try place(names.count + 1, sql)
    names[names.count - 1] = name
    return text
  }
}
#endif
