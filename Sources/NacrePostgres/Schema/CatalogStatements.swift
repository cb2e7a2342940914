#if PostgreSQL
/// The statements that read the server's catalog (PostgreSQL's documentation, chapter 53).
///
/// The tables of a store are in the first schema of the search path that exists.
enum CatalogStatements {
  private static let isHere = "c.relnamespace = quote_ident(current_schema())::regnamespace"
  private static let fromTables = "FROM pg_catalog.pg_class c"

  // MARK: Tables

  /// The names but those of ``LaneTable``, which is there before a store.
  static let objectNames = """
    SELECT c.relname::text \(fromTables) WHERE \(isHere) \
    AND NOT starts_with(c.relname::text, '\(LaneTable.name)') UNION ALL SELECT t.tgname::text \
    FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid \
    WHERE \(isHere) AND NOT t.tgisinternal
    """
  static let hasTable = """
    SELECT 1 \(fromTables) WHERE \(isHere) AND c.relkind IN ('r', 'p') \
    AND c.relname::text COLLATE "C" = ?1
    """
  static let hasTableInAnyCase = """
    SELECT 1 \(fromTables) WHERE \(isHere) AND c.relkind IN ('r', 'p') \
    AND lower(c.relname::text COLLATE "C") = lower(?1::text COLLATE "C")
    """
  static let hasIndex = """
    SELECT 1 \(fromTables) WHERE \(isHere) AND c.relkind IN ('i', 'I') \
    AND c.relname::text COLLATE "C" = ?1
    """
  /// Name, kind.
  private static let table = """
    SELECT c.relname::text, CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'table' \
    WHEN 'f' THEN 'virtual' ELSE 'view' END, false \(fromTables) \
    WHERE \(isHere) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    """
  static let tables = table + " ORDER BY c.relname::text COLLATE \"C\""
  static let tableInAnyCase = """
    \(table) AND lower(c.relname::text COLLATE "C") = lower(?1::text COLLATE "C") \
    ORDER BY c.relname::text COLLATE "C" = ?1
    """
  static let references = """
    SELECT DISTINCT t.relname::text FROM pg_catalog.pg_constraint k \
    JOIN pg_catalog.pg_class c ON c.oid = k.conrelid JOIN pg_catalog.pg_class t ON t.oid = k.confrelid \
    WHERE k.contype = 'f' AND \(isHere) AND c.relname::text COLLATE "C" = ?1
    """

  // MARK: Columns

  private static let isColumn = "a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"
  /// Name, type, whether NULL is refused, the position in the primary key or NULL, the default's text.
  static let columns = """
    SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull, \
    (SELECT array_position(i.indkey::int2[], a.attnum)::bigint FROM pg_catalog.pg_index i \
    WHERE i.indrelid = c.oid AND i.indisprimary) + 1, pg_get_expr(d.adbin, d.adrelid) \
    \(fromTables) JOIN pg_catalog.pg_attribute a ON \(isColumn) \
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum \
    WHERE \(isHere) AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attgenerated = '' \
    AND c.relname::text COLLATE "C" = ?1 ORDER BY a.attnum
    """
  /// Table, column.
  static let allColumns = """
    SELECT c.relname::text, a.attname::text \(fromTables) JOIN pg_catalog.pg_attribute a ON \(isColumn) \
    WHERE (\(isHere) OR c.relnamespace = pg_my_temp_schema()) AND c.relkind IN ('r', 'p') \
    ORDER BY c.relnamespace, c.relname::text COLLATE "C", a.attnum
    """
  /// Whether a column is of the type of decimals, or of the server's own type of numbers with any digits.
  static let isNumeric = """
    SELECT coalesce(a.atttypid IN ('numeric'::regtype, to_regtype('\(ServerFunctions.decimalType)')), \
    false)::integer \(fromTables) \
    JOIN pg_catalog.pg_attribute a ON \(isColumn) WHERE \(isHere) \
    AND c.relname::text COLLATE "C" = ?1 AND a.attname::text COLLATE "C" = ?2
    """

  // MARK: Indexes

  private static let isMade = """
    NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint k WHERE k.conindid = i.indexrelid \
    AND k.contype IN ('p', 'u', 'x'))
    """
  /// The terms of each index that a CREATE INDEX statement made, in order: the index's name, whether unique, whether
  /// partial; column, NULL for an expression; collation; whether descending; number from 1.
  static let indexTerms = """
    SELECT x.relname::text, i.indisunique, i.indpred IS NOT NULL, a.attname::text, \
    coalesce(o.collname::text, ''), (i.indoption[n.n - 1] & 1)::integer, n.n \
    \(fromTables) JOIN pg_catalog.pg_index i ON i.indrelid = c.oid \
    JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid \
    CROSS JOIN LATERAL generate_series(1, i.indnkeyatts::integer) AS n(n) \
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[n.n - 1] \
    AND a.attnum <> 0 LEFT JOIN pg_catalog.pg_collation o ON o.oid = i.indcollation[n.n - 1] \
    WHERE \(isHere) AND c.relname::text COLLATE "C" = ?1 AND \(isMade) \
    ORDER BY x.relname::text COLLATE "C", n.n
    """
  /// Table, name, text, oid, of the tables whose names are an array.
  static let indexDefinitions = """
    SELECT c.relname::text, x.relname::text, pg_get_indexdef(x.oid), x.oid::bigint \(fromTables) \
    JOIN pg_catalog.pg_index i ON i.indrelid = c.oid JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid \
    WHERE \(isHere) AND c.relname::text COLLATE "C" = ANY(CAST(?1 AS text[])) AND \(isMade) \
    ORDER BY c.relname::text COLLATE "C", x.relname::text COLLATE "C"
    """

  // MARK: Numbers

  /// A number of all columns of tables and indexes, and of all triggers, each with the transaction that changed it last.
  static let layoutNumber = """
    SELECT coalesce((SELECT bit_xor(hashint8extended(a.attrelid::bigint, \
    a.xmin::text::bigint * 2048 + a.attnum)) \(fromTables) \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 WHERE \(isHere)), 0) \
    # coalesce((SELECT bit_xor(hashint8extended(t.oid::bigint, t.xmin::text::bigint)) \
    \(fromTables) JOIN pg_catalog.pg_trigger t ON t.tgrelid = c.oid \
    WHERE \(isHere) AND NOT t.tgisinternal), 0)
    """
  /// A number of the transactions whose changes a statement sees.
  static let dataNumber = "SELECT hashtextextended(pg_current_snapshot()::text, 0)"
  /// The number of the next transaction that writes, without the rounds that the server's numbers have gone.
  static let nextTransaction = """
    SELECT (pg_snapshot_xmax(pg_current_snapshot())::text::numeric % 4294967296)::bigint
    """
  /// The other sessions that see a transaction before the number ?1 as one that has not ended.
  ///
  /// The server shows every role which state a session reads, but not the kinds of other roles' sessions. Its own
  /// processes, such as one that vacuums, are those without a role.
  static let readersBefore = """
    SELECT 1 FROM pg_catalog.pg_stat_activity WHERE datname = current_database() \
    AND pid <> pg_backend_pid() AND usesysid IS NOT NULL \
    AND age(backend_xmin) > age(?1::text::xid) LIMIT 1
    """
  /// The sequence of the column that a table's keys come from, if there is one.
  static let restartKeys = """
    SELECT setval(s.s::regclass, 1, false) FROM (SELECT pg_get_serial_sequence(quote_ident(c.relname), \
    a.attname) AS s \(fromTables) JOIN pg_catalog.pg_attribute a ON \(isColumn) \
    WHERE \(isHere) AND c.relkind IN ('r', 'p') AND a.attidentity <> '' \
    AND c.relname::text COLLATE "C" = ?1) s WHERE s.s IS NOT NULL
    """
}
#endif
