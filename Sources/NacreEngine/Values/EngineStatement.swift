/// A prepared statement, as values see it: what an engine provides to bind and read them.
///
/// Parameters are numbered from 1 and columns from 0, as in SQLite. Class-bound, so that calling it
/// through the existential costs one indirect call and no box.
public protocol EngineStatement: AnyObject {
  /// Runs the statement to its end and makes it ready for the next run.
  func run() throws
  /// Goes to the next row; false after the last.
  func step() throws -> Bool
  /// Ends the run.
  func reset()
  /// Binds an integer.
  func bind(_ value: Int64, at index: Int32) throws
  /// Binds a floating-point number.
  func bind(_ value: Double, at index: Int32) throws
  /// Binds UTF-8 text of given length; NUL bytes survive.
  func bind(text: String, at index: Int32) throws
  /// Binds bytes, which are copied; no bytes are an empty blob, not NULL.
  func bind(blob: UnsafeRawBufferPointer, at index: Int32) throws
  /// Binds NULL.
  func bindNull(at index: Int32) throws
  /// A column of the current row as an integer; nil where it holds something else.
  func integer(at index: Int32) -> Int64?
  /// A column of the current row as a floating-point number; nil where it holds something else.
  func real(at index: Int32) -> Double?
  /// A column of the current row as text; nil where it holds something else.
  func string(at index: Int32) -> String?
  /// The bytes of a blob of the current row, valid until the next step; nil where the column holds something else.
  func bytes(at index: Int32) -> UnsafeRawBufferPointer?
  /// Whether a column of the current row holds NULL.
  func isNull(at index: Int32) -> Bool
  /// The storage class of a column of the current row.
  func storageClass(at index: Int32) -> StorageClass
}
