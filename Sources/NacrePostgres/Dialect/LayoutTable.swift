#if PostgreSQL
/// The table with a number that Nacre raises with each change of tables, columns or indexes, for all changes of a
/// transaction when it is committed.
///
/// To read it costs a twentieth of a look through the server's catalog. Whoever changes tables by other means does not
/// raise it: a connection learns of that when a statement fails, or when it is opened anew.
enum LayoutTable {
  static let name = "nacre_layout"

  /// The statements that make the table.
  static let create = [
    "CREATE TABLE \"\(name)\" (\"number\" bigint NOT NULL)", "INSERT INTO \"\(name)\" VALUES (1)",
  ]
  static let select = "SELECT \"number\" FROM \"\(name)\""
  static let raise = raise(by: 1)

  static func raise(by count: Int) -> String {
    "UPDATE \"\(name)\" SET \"number\" = \"number\" + \(count)"
  }
}
#endif
