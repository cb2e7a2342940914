#if PostgreSQL
package import NacreEngine

// The server does not say what a statement reads. What it names is found in its text, and in the definitions of the views,
// rules, triggers and functions that it names; it is compared with the tables and columns of the schema. So a statement
// can be reported to read a column of which it only names a namesake, but not the other way round, unless it reads a
// whole row by its table's name, or runs SQL that a function of the application's own makes of texts.
extension PostgresConnection {
  package func watchAccess(_ handler: ((Access) -> Bool)?) { accessHandler = handler }

  package func beginRecordingReads() { readTables = [] }

  package func endRecordingReads() -> Set<String> {
    defer { readTables = nil }
    return readTables ?? []
  }

  /// Tells the handler, and the record of tables, what a statement names.
  ///
  /// - Throws: An error of kind `refusedAccess` if the handler answers false.
  func reportAccess(_ text: StatementText) throws {
    guard accessHandler != nil || readTables != nil else { return }
    let handler = accessHandler
    // The questions below are not the statement's.
    accessHandler = nil
    let recorded = readTables
    readTables = nil
    defer {
      accessHandler = handler
      if readTables == nil { readTables = recorded }
    }
    var names = NamedObjects(text.text)
    if handler != nil {
      try addDefinitions(to: &names)
      if let runner = names.runner ?? (text.firstWord == "do" ? "DO" : nil) {
        throw PostgresError(
          .refusedAccess,
          "\(runner) runs SQL in a text, in which nobody sees what it reads; write the statement itself",
          sql: text.sql
        )
      }
    }
    let found = try columns(ofTablesNamed: names)
    readTables = recorded?.union(found.map(\.table))
    guard let handler else { return }
    for access in Self.accesses(text, names, found) where !handler(access) {
      throw PostgresError(.refusedAccess, "the statement is refused", sql: text.sql)
    }
  }

  private static func accesses(
    _ text: StatementText,
    _ names: NamedObjects,
    _ found: [(table: String, columns: [String])]
  ) -> [Access] {
    // A table that the statement makes is not there yet, and is one of the names.
    let made: [Access] = text.changesLayout ? names.names.map { .insert(table: $0) } : []
    return made
      + found.flatMap { table, columns -> [Access] in
        // A new name or the end of a column reads nothing of it.
        let named =
          names.onlyNames ? [] : names.hasStar ? columns : columns.filter(names.names.contains)
        let reads =
          [Access.read(table: table, column: "")] + named.map { .read(table: table, column: $0) }
        switch text.firstWord {
        case "insert": return [.insert(table: table)] + reads
        case "update": return named.map { .update(table: table, column: $0) } + reads
        case "delete": return [.delete(table: table)] + reads
        default: return reads
        }
      }
  }

  /// Adds what the views, rules, triggers and functions name that are among the names, and those that these name.
  private func addDefinitions(to names: inout NamedObjects) throws {
    var (looked, events): (Set<String>, Int64) = ([], 0)
    while true {
      // A function that is found can write where the statement itself only reads.
      if names.events != events { (looked, events) = ([], names.events) }
      let new = names.names.subtracting(looked)
      if new.isEmpty { return }
      looked.formUnion(new)
      guard let list = ArrayText(new.map { .text($0) }) else { return }
      let statement: PostgresStatement = try cached(Self.definitions)
      defer { statement.reset() }
      try statement.bind(.text(list.text), at: 1)
      try statement.bind(.integer(events), at: 2)
      var texts: [String] = []
      while try statement.step() { texts.append(statement.text(at: 0)) }
      for text in texts { names.add(text) }
    }
  }

  /// Selects the definitions of what is named: of views, of functions but the server's and Nacre's, and of the rules and
  /// the names of the triggers' functions of tables, if they run with what is written (``NamedObjects/events``).
  ///
  /// Objects of another schema count if the schema is named, too: to print a definition the server locks its tables.
  private static let definitions = """
    WITH schemas AS MATERIALIZED (SELECT s.oid FROM pg_catalog.pg_namespace s \
    WHERE s.nspname::text = ANY(CAST(?1 AS text[])) AND s.nspname NOT IN ('pg_catalog', 'information_schema')), \
    named AS MATERIALIZED (SELECT c.oid, c.relkind FROM pg_catalog.pg_class c \
    WHERE c.relname::text = ANY(CAST(?1 AS text[])) \
    AND c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) \
    AND (pg_catalog.pg_table_is_visible(c.oid) OR c.relnamespace = pg_my_temp_schema() \
    OR c.relnamespace IN (SELECT s.oid FROM schemas s))) \
    SELECT pg_get_viewdef(n.oid) FROM named n WHERE n.relkind IN ('v', 'm') \
    UNION ALL SELECT pg_get_ruledef(r.oid) FROM pg_catalog.pg_rewrite r JOIN named n ON n.oid = r.ev_class \
    WHERE CASE r.ev_type WHEN '2' THEN 16 WHEN '3' THEN 4 WHEN '4' THEN 8 ELSE 0 END & CAST(?2 AS bigint) <> 0 \
    UNION ALL SELECT quote_ident(s.nspname) || '.' || quote_ident(p.proname) FROM pg_catalog.pg_trigger t \
    JOIN named n ON n.oid = t.tgrelid JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid \
    JOIN pg_catalog.pg_namespace s ON s.oid = p.pronamespace \
    WHERE NOT t.tgisinternal AND t.tgtype::bigint & CAST(?2 AS bigint) <> 0 \
    UNION ALL SELECT coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) FROM pg_catalog.pg_proc p \
    WHERE p.proname::text = ANY(CAST(?1 AS text[])) AND NOT starts_with(p.proname::text, 'nacre_') \
    AND p.pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) \
    AND (pg_catalog.pg_function_is_visible(p.oid) OR p.pronamespace IN (SELECT s.oid FROM schemas s))
    """

  /// Returns the tables and views that are among the names, with their columns.
  private func columns(ofTablesNamed names: NamedObjects) throws -> [(
    table: String, columns: [String]
  )] {
    var tables: [(table: String, columns: [String])] = []
    let statement: PostgresStatement = try cached(Self.columnsOfTables)
    defer { statement.reset() }
    while try statement.step() {
      let table = statement.text(at: 0)
      guard names.names.contains(table) else { continue }
      if tables.last?.table != table { tables.append((table, [])) }
      tables[tables.count - 1].columns.append(statement.text(at: 1))
    }
    return tables
  }

  private static let columnsOfTables = """
    SELECT c.relname, a.attname FROM pg_catalog.pg_class c \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_catalog.pg_table_is_visible(c.oid) \
    AND c.relnamespace <> 'pg_catalog'::regnamespace ORDER BY c.oid, a.attnum
    """
}

#endif
