import CSQLite

extension Connection {
  /// Whether a name is one of SQLite's keywords, in any case (sqlite.org/c3ref/keyword_check.html).
  ///
  /// Some keywords can be used as names without quotes, others can't.
  package static func isKeyword(_ name: String) -> Bool {
    sqlite3_keyword_check(name, Int32(clamping: name.utf8.count)) != 0
  }
}
