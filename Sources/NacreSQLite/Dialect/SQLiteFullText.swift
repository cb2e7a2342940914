import CSQLite
import NacreEngine

/// The SQL of FTS5 (sqlite.org/fts5.html).
struct SQLiteFullText: FullTextDialect {
  func createIndex(_ name: String, columns: [String], _ tokenizer: Tokenizer) -> String {
    let arguments = columns + ["tokenize = '\(tokenizer.rawValue)'"]
    return "CREATE VIRTUAL TABLE \(name) USING fts5(\(arguments.joined(separator: ", ")))"
  }

  func canHold(column: String) -> Bool {
    sqlite3_stricmp(column, "rank") != 0 && sqlite3_stricmp(column, "rowid") != 0
  }

  func check(_ name: String) -> String {
    "INSERT INTO \(name) (\(name)) VALUES ('integrity-check')"
  }

  var key: String { "\"rowid\"" }

  func matches(_ name: String) -> String { "\(name) MATCH ?" }

  var rank: String { "\"rank\"" }

  func highlight(_ name: String, column: Int) -> String { "highlight(\(name), \(column), ?, ?)" }

  func snippet(_ name: String, column: Int, length: Int) -> String {
    "snippet(\(name), \(column), ?, ?, ?, \(length))"
  }

  /// Words that stand beside each other must all be there, and one without a letter or digit does
  /// not count; after AND it would rule everything out.
  func expression(_ words: [String], columns: [String], isPrefix: Bool) -> String {
    let all = words.isEmpty ? "\"\"" : words.map(Self.quoted).joined(separator: " ")
    let text = all + (isPrefix && !words.isEmpty ? " *" : "")
    if columns.isEmpty { return text }
    return "{\(columns.map(Self.quoted).joined(separator: " "))} : (\(text))"
  }

  /// Refuses queries about the index itself, which begin with a star, and what FTS5 would read only
  /// up to a NUL.
  func accepts(expression: String) -> Bool {
    !expression.utf8.contains(0) && expression.utf8.first { $0 > 0x20 } != UInt8(ascii: "*")
  }

  private static func quoted(_ text: String) -> String {
    var bytes = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
  }
}
