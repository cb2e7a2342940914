/// The statements that tell which tables and columns a connection has.
enum SealedTrailSQL {
  /// Each gives another number after a change of the tables.
  static let versions = ["PRAGMA main.schema_version", "PRAGMA temp.schema_version"]
  /// Table and column of every table, in the order of the columns.
  static let columns = """
    SELECT l."name", i."name" FROM pragma_table_list l, pragma_table_info(l."name", l."schema") i \
    WHERE l."type" = 'table' ORDER BY l."schema", l."name", i."cid"
    """
}
