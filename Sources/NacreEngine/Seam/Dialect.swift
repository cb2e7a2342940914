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
  /// Whether an INSERT has to return a generated key, because the number that the connection knows can be that of a
  /// trigger's insert.
  var insertsReturnKeys: Bool { get }
  /// Returns why a column can't hold a value, as a sentence without its end; nil if it can.
  func refusal(of value: Value) -> String?
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
  /// The words after a foreign key that say when it is checked.
  var referenceTiming: String { get }
  /// The statement that puts off the check of all foreign keys to the end of the open transaction; empty on an engine
  /// without ``EngineCapabilities/defersReferences``.
  var deferForeignKeys: String { get }
  /// Returns a SELECT of whether there is a trigger, or a table with foreign keys, for whose `"name"`
  /// the condition is true; its one column is an integer.
  func hasTriggers(where isOther: String, orReferencesInTablesWhere condition: String) -> String

  /// The SQL of full-text search; nil if the engine has none.
  var fullText: (any FullTextDialect)? { get }

  // MARK: Conditions and orders

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
  /// - Throws: An `EngineError` of kind `badStatement` for a condition that the engine would take for another one.
  func condition(_ text: String, columns: () -> NamedColumns) throws -> String
  /// Returns an order that somebody wrote for one table, as the engine reads it, with NULL before all values.
  ///
  /// - Parameters:
  ///   - text: The order.
  ///   - columns: The names of the table's columns.
  /// - Returns: The order for the engine.
  func order(_ text: String, columns: () -> NamedColumns) -> String

  // MARK: Decimals

  /// The type of a column of decimals, whose texts it compares as numbers.
  var decimalType: String { get }
  /// Returns the expression by which decimals are put in order.
  func orderedDecimal(_ expression: String) -> String
  /// Returns the expression by which the decimals of a column are looked for, which an index of the column has as well.
  func comparedDecimal(_ column: String) -> String
  /// Returns the text of the least or greatest decimal of a column.
  ///
  /// - Parameters:
  ///   - function: `min` or `max`.
  ///   - column: The column's name, in quotes.
  /// - Returns: The expression.
  func extremeDecimal(_ function: String, of column: String) -> String

  // MARK: Functions and numbers

  /// Returns whether statements can call a function.
  func calls(_ function: EngineFunction) -> Bool
  /// Returns the sum of a column of integers, which fails if it does not fit in 64 bits.
  func integerSum(of column: String) -> String
  /// Returns all texts of a column with a blank between them; NULL if there are none.
  func joinedTexts(of column: String) -> String
  /// The words around a computed real that make NULL of a NaN; two empty texts if the engine does so by itself.
  var realFrame: (before: String, after: String) { get }
  /// Returns the words around the operands of an operation on integers, whose result may have any size, and is NULL
  /// where a divisor is 0; the operation is `+`, `-`, `*`, `/` or `%`.
  func integerOperation(_ word: String) -> (before: String, between: String, after: String)
  /// The words around an integer that is negated.
  var integerNegation: (before: String, after: String) { get }
  /// Returns the words around a parameter that gets values of a class, for places that do not say which it gets.
  func cast(to storageClass: StorageClass) -> (before: String, after: String)
  /// Whether conditions have a type of their own, so that a stored truth value, which is 0 or 1, is none.
  var hasTruthValues: Bool { get }
  /// The positive real that is infinite.
  var infinity: String { get }
  /// The real 0.
  var realZero: String { get }

  // MARK: Rows

  /// The type of a column for the values of a property that takes any.
  var anyValueType: String { get }
  /// Returns the type of a column whose texts are compared by a rule; nil if the engine does not have the rule.
  ///
  /// - Parameters:
  ///   - storageClass: The class of the values.
  ///   - collation: The rule by its name in SQLite.
  /// - Returns: The type.
  func type(_ storageClass: StorageClass, collation: String) -> String?
  /// Returns the value that an INSERT gives the key that the engine generates for a row.
  ///
  /// - Parameters:
  ///   - parameter: The parameter of the key, which is NULL if the engine is to generate it.
  ///   - column: The key's column, without quotes.
  ///   - table: The table's name, without quotes.
  /// - Returns: The expression.
  func generatedKey(_ parameter: String, of column: String, in table: String) -> String
  /// Returns an INSERT that leaves out the rows whose keys are there, by its rest behind INSERT, which begins with INTO.
  func insertMissing(_ rows: String) -> String
  /// Whether rows of which equal ones are read once can be ordered by what is not read.
  var ordersDistinctRows: Bool { get }
  /// Returns a list of values as one value, with the words around its parameter; nil if the values need a parameter
  /// each, or a function that unpacks them.
  func list(of values: [Value]) -> (value: Value, before: String, after: String)?
  /// The name that a subquery in FROM needs, with a blank before it; an empty text if it needs none.
  var subqueryName: String { get }

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

/// The names of a table's columns, by which a caller's text means them.
package struct NamedColumns {
  /// All names.
  package let all: [String]
  /// The names of the columns that hold decimals.
  package let decimals: [String]

  package init(_ all: [String] = [], decimals: [String] = []) {
    (self.all, self.decimals) = (all, decimals)
  }
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
