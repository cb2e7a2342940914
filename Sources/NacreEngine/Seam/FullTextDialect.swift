/// The pieces of an engine's SQL for full-text search.
///
/// A full-text index is a table of an engine's module. Its rows have an integer as their key, and
/// columns with the texts.
package protocol FullTextDialect {
  /// Returns the definition of an index.
  ///
  /// - Parameters:
  ///   - name: The index's name, in quotes.
  ///   - columns: The names of its columns, in quotes.
  ///   - tokenizer: How it tells words apart.
  /// - Returns: The statement, as the schema keeps it.
  func createIndex(_ name: String, columns: [String], _ tokenizer: Tokenizer) -> String
  /// Returns whether an index may have a column of that name.
  func canHold(column: String) -> Bool
  /// Returns the statement that throws an error of the kind `corrupt` if an index does not fit its
  /// own texts; it needs a connection that writes, and changes nothing.
  func check(_ name: String) -> String

  // MARK: Searching

  /// The column with a row's key in an index.
  var key: String { get }
  /// Returns the condition that the rows of an index match the expression in the next parameter.
  func matches(_ name: String) -> String
  /// The column by which the rows of a search are ordered, the best first.
  var rank: String { get }
  /// Returns the expression of a column's text with marks around what was found; its parameters are
  /// the two marks.
  func highlight(_ name: String, column: Int) -> String
  /// Returns the expression of a part of a column's text with at most `length` words; its parameters
  /// are the two marks and the text for what is left out.
  func snippet(_ name: String, column: Int, length: Int) -> String

  // MARK: Expressions

  /// Returns the expression that all words are in one text, each as it is written.
  ///
  /// - Parameters:
  ///   - words: The words, with any characters but NUL.
  ///   - columns: The columns of which one has to hold them; empty for all.
  ///   - isPrefix: Whether the last word may be the beginning of one.
  /// - Returns: The expression.
  func expression(_ words: [String], columns: [String], isPrefix: Bool) -> String
  /// Returns whether a search may use an expression that somebody wrote; whether it is well-formed
  /// shows only when it is used.
  func accepts(expression: String) -> Bool
}
