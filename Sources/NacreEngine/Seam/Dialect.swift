/// The pieces of an engine's SQL that differ from that of other engines.
///
/// The statements above the engines are written in SQL that engines share: names stand in double
/// quotes, parameters are `?1`, `?2` and so on, `main."T"` is a table of the store even where a temporary
/// table has its name, and `temp."T"` is a temporary one. An engine that writes these otherwise replaces them
/// when it prepares a statement. A statement asks the dialect for the rest. All texts are constants or
/// short, so a caller that runs a statement often keeps the whole statement.
package protocol Dialect: AnyObject, Sendable {
  // MARK: Types

  /// Returns the type of a column that keeps values of a storage class as they are, and compares texts byte by byte.
  func type(_ storageClass: StorageClass) -> String
  /// The type of a column that keeps values of any storage class, with a blank before it; an empty text if such a
  /// column needs none.
  var anyType: String { get }
  /// The type of a column of objectIDs.
  var identifierType: String { get }
  /// The statements that an empty database needs before the tables of a store.
  var preparation: [String] { get }

  // MARK: Tables

  /// The end of a CREATE TABLE statement, after the parenthesis, for a table whose rows are stored
  /// under its own primary key; an empty text if the engine needs no words for it.
  var keyedTableEnding: String { get }
  /// The rest of the definition of a column, after its name, that is the whole primary key of its
  /// table and for which the engine counts up integers.
  var generatedKey: String { get }
  /// The same for a column whose integers the engine may give to later rows again.
  var integerKey: String { get }
  /// The clause of a column of objectIDs by which the engine gives a row that names none 16 random
  /// bytes.
  var randomIdentifier: String { get }
  /// The column by which each row of a table without a declared key can be named, which the engine
  /// adds itself; nil if the engine has no such keys, and so no tables of DAOs.
  var rowKeyColumn: String? { get }

  // MARK: Comparison

  /// The collation that compares texts byte by byte.
  var byteCollation: String { get }
  /// The collation that compares the texts of decimals as numbers; nil if the engine has a type for
  /// decimals, which needs none.
  var decimalCollation: String? { get }
  /// Returns the literal of bytes that are given as two hex digits each.
  func blob(hex digits: String) -> String
  /// Whether a table can refer to one that does not exist yet.
  var refersAhead: Bool { get }

  // MARK: Equality

  /// Returns the condition that two expressions have equal bytes or are both NULL, whatever the
  /// collation of either.
  func hasSameBytes(_ a: String, _ b: String) -> String
  /// Returns the condition that two expressions are equal or are both NULL.
  func isSame(_ a: String, _ b: String) -> String

  // MARK: Cells

  /// The type of a column that keeps the cells of other sealed columns as they are, with a blank before it; an empty
  /// text if such a column needs none.
  var sealedCellType: String { get }
  /// Returns the condition that a cell holds a value of the class for which its column was made.
  func holds(_ storageClass: StorageClass, _ cell: String) -> String
  /// Returns the condition that two cells, or a cell and a parameter, hold the same bytes of the same class, or NULL
  /// both.
  func isIdentical(_ a: String, _ b: String) -> String
  /// Returns the expression of the number of bytes in a cell.
  func byteCount(_ cell: String) -> String
  /// Returns the condition that a cell of a column with any type begins with some bytes, in a blob or a text.
  ///
  /// - Parameters:
  ///   - cell: The cell.
  ///   - type: The column's ``EngineColumn/declaredType``.
  ///   - bytes: The bytes; not all of them are 255.
  /// - Returns: The condition.
  func begins(_ cell: String, ofType type: String, with bytes: [UInt8]) -> String
  /// Returns the condition that a cell of text contains another text.
  func contains(_ cell: String, _ literal: String) -> String
  /// Returns the condition that a cell holds a blob of more than 32 bytes whose first is from 1 to 31.
  func isLikeEnvelope(_ cell: String) -> String
  /// Returns the expression of a key after which a walk goes on.
  ///
  /// - Parameter parameter: The number of the parameter with the key; the next one says whether its bytes are a text,
  ///   which in a file that somebody has changed need not be UTF-8.
  /// - Returns: The expression.
  func walkKey(_ parameter: Int) -> String

  // MARK: Statements

  /// Returns the statement that writes tables anew, without what deleted and replaced rows have left in them.
  func vacuum(_ tables: [String]) -> String
  /// Returns an INSERT of one row that replaces the row with the same key, if there is one.
  ///
  /// - Parameters:
  ///   - table: The table's name, in quotes.
  ///   - columns: The names of its columns, in quotes; the parameters are in their order.
  ///   - keyCount: How many of the first columns are the primary key.
  /// - Returns: The statement.
  func replace(in table: String, _ columns: [String], keyCount: Int) -> String
  /// Returns an INSERT of one row that does nothing if there is a row with the same key.
  ///
  /// - Parameters:
  ///   - table: The table's name, in quotes.
  ///   - columns: The names of its columns, in quotes; the parameters are in their order.
  /// - Returns: The statement.
  func insertIfMissing(in table: String, _ columns: [String]) -> String
  /// The expression of a random integer.
  var randomInteger: String { get }
  /// The statement that puts off the check of all foreign keys to the end of the open transaction.
  var deferForeignKeys: String { get }
  /// Returns a SELECT of whether there is a trigger, or a table with foreign keys, for whose `"name"`
  /// the condition is true; its one column is an integer.
  func hasTriggers(where isOther: String, orReferencesInTablesWhere condition: String) -> String

  /// The SQL of full-text search; nil if the engine has none.
  var fullText: (any FullTextDialect)? { get }

  // MARK: Conditions and orders

  /// Whether statements can call every ``EngineFunction``.
  var callsFunctions: Bool { get }
  /// The condition that no row meets.
  var falsehood: String { get }
  /// The words after a term of an order that put NULL before all values; an empty text if the engine does so by itself.
  var nullsFirst: String { get }
  /// Returns a condition as the engine reads it: with the names of the table's columns in whatever case of ASCII letters,
  /// with empty lists, and with numbers in place of truth values.
  ///
  /// - Parameters:
  ///   - text: The condition.
  ///   - columns: The names of the table's columns.
  /// - Returns: The condition for the engine.
  func condition(_ text: String, columns: () -> [String]) -> String
  /// Returns an order that somebody wrote for one table, as the engine reads it, with NULL before all values.
  ///
  /// - Parameters:
  ///   - text: The order.
  ///   - columns: The names of the table's columns.
  /// - Returns: The order for the engine.
  func order(_ text: String, columns: () -> [String]) -> String

  // MARK: Joins

  /// The words of a join whose rows come in the order of its left side, as far as the engine keeps an order.
  var orderedJoin: String { get }
  /// Returns the clause that puts the rows of ordered joins in order, with a blank before it; an empty text if the join
  /// alone does so.
  func order(by columns: [String]) -> String

  // MARK: Advice

  /// Returns words for the place of an object in the schema, for an error that can't show its name.
  ///
  /// - Parameter number: The object's ``SchemaObject/number``.
  /// - Returns: Words that begin with `in`.
  func place(ofObject number: Int64) -> String
  /// Returns a statement that prints the DROP statement of an object whose name can't be shown.
  ///
  /// - Parameters:
  ///   - kind: The word for the object's kind in a DROP statement.
  ///   - number: The object's ``SchemaObject/number``.
  /// - Returns: The statement that prints the other.
  func printDrop(_ kind: String, ofObject number: Int64) -> String
}

extension Dialect {
  /// Returns the literal of bytes.
  package func blob(_ bytes: some Sequence<UInt8>) -> String {
    blob(
      hex: bytes.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count < 2 ? "0" + digits : digits
      }.joined()
    )
  }

  /// Returns an INSERT of one row behind its verb; the parameters are in the columns' order.
  package func row(in table: String, _ columns: [String]) -> String {
    let parameters = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    return " INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(parameters))"
  }
}
