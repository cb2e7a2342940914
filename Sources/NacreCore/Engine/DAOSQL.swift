/// The statements that look at the tables of a DAO, which its own statements make.
enum DAOSQL {
  /// A table or view of a name in whatever case: its name as it was made, what it is, whether it has no rowids.
  static let table = """
    SELECT t."name", t."type", t."wr" FROM pragma_table_list(?1) t WHERE t."schema" = 'main'
    """
  /// Whether a table has a column that takes the name by which rowids are asked for.
  static let hidesRowID = """
    SELECT EXISTS (SELECT 1 FROM pragma_table_xinfo(?1) c WHERE lower(c."name") = '_rowid_')
    """
}
