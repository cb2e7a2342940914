/// The statements that list the tables and columns of a connection.
enum SealedTrailSQL {
  /// Each returns another number after a change of the tables.
  static let versions = ["PRAGMA main.schema_version", "PRAGMA temp.schema_version"]
  /// The table and column of every table's columns, in order.
  static let columns = """
    SELECT l."name", i."name" FROM pragma_table_list l, pragma_table_info(l."name", l."schema") i \
    WHERE l."type" = 'table' ORDER BY l."schema", l."name", i."cid"
    """
}
