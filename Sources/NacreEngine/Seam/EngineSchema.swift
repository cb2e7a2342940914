/// The tables, columns, indexes and other objects of a database, as its engine knows them.
///
/// Unless something else is said, a name is compared byte by byte, temporary objects are left out,
/// and each function throws an `EngineError` if the engine can't read.
package protocol EngineSchema {
  // MARK: Tables

  /// Returns the names of all tables, views, indexes and triggers, the engine's own among them.
  func objectNames() throws -> [String]
  /// Returns whether there is a table of that name; a view is none.
  func hasTable(_ name: String) throws -> Bool
  /// Returns whether there is a table of that name, whatever the case of its ASCII letters.
  func hasTable(inAnyCase name: String) throws -> Bool
  /// Returns all tables and views by name, the engine's own among them.
  func tables() throws -> [EngineTable]
  /// Returns the table or view of that name, whatever the case of its ASCII letters; nil if there
  /// is none.
  func table(inAnyCase name: String) throws -> EngineTable?
  /// Returns why the rows of a table can't be named by ``Dialect/rowKeyColumn``, as a clause that
  /// begins with `it`; nil if they can.
  func rowKeyRefusal(ofTable name: String) throws -> String?
  /// Returns the tables to which a table refers by its foreign keys.
  func tables(referredToBy table: String) throws -> [String]

  // MARK: Columns

  /// Returns the columns of a table in order, without hidden and generated ones; none if there is
  /// no such table.
  func columns(of table: String) throws -> [EngineColumn]
  /// Returns the columns of a table in order, without generated ones, which take their values from
  /// others; none if there is no such table.
  func storedColumns(of table: String) throws -> [EngineColumn]
  /// Returns the columns of all tables in the order of tables, those of temporary tables among them.
  func columnsOfAllTables() throws -> [(table: String, column: String)]
  /// Returns whether a column compares the texts of decimals as numbers; nil if there is no such
  /// column.
  func comparesDecimals(column: String, of table: String) throws -> Bool?

  // MARK: Indexes

  /// Returns whether there is an index of that name, on any table.
  func hasIndex(_ name: String) throws -> Bool
  /// Returns the indexes of a table by name, without those that the engine made for its keys.
  func indexes(of table: String) throws -> [EngineIndex]

  // MARK: Definitions

  /// Returns the tables by name, the engine's own among them.
  func tableDefinitions() throws -> [SchemaObject]
  /// Returns the indexes of tables with their definitions, by the tables' names and their own, without those that
  /// the engine made for keys.
  func indexDefinitions(of tables: [String]) throws -> [(table: String, index: SchemaObject)]
  /// Returns the objects whose definition contains a text, in any case of its ASCII letters.
  ///
  /// - Parameters:
  ///   - text: The text, in lower case.
  ///   - isTemporary: Whether to look at the connection's temporary objects instead of the
  ///     database's.
  /// - Returns: The objects, in the order in which they were made.
  /// - Throws: An `EngineError`.
  func definitions(containing text: String, isTemporary: Bool) throws -> [SchemaObject]
  /// Returns a number that changes with each change of the connection's temporary tables.
  func temporaryLayoutNumber() throws -> Int64

  // MARK: Faults

  /// Checks the structure of the whole database.
  ///
  /// - Returns: What is damaged, in the engine's words; empty if nothing is.
  func damage() throws -> [String]
  /// Returns the rows that refer to missing rows of a target, counted by the two tables, in the tables' order.
  func danglingReferences() throws -> [(table: String, target: String, count: Int64)]
}
