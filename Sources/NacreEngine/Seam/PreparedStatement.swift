/// A prepared statement of one connection; one thread at a time uses it, with its connection.
///
/// Parameters are numbered from 1 and columns from 0.
package protocol PreparedStatement: EngineStatement {
  /// The text from which the statement was prepared.
  var sql: String { get }
  /// The number of parameters.
  var parameterCount: Int { get }
  /// The number of columns of its rows; 0 if it returns no rows.
  var columnCount: Int { get }
  /// Whether the statement was stepped and has neither reached its end nor been reset.
  var isBusy: Bool { get }
  /// Whether the statement stores none of the values that are bound to it, because it reads or deletes.
  var onlyCompares: Bool { get }

  /// Returns the name of a column of the result; the empty text if there is no such column.
  func columnName(at index: Int32) -> String
  /// Returns the name of a parameter with its prefix, such as `:id`; nil if it has none.
  func parameterName(at index: Int32) -> String?
  /// Sets every parameter to NULL and frees the bound values.
  func clearBindings()

  // MARK: Reading with conversion

  /// Returns the value as an integer; 0 for NULL.
  func int64(at index: Int32) -> Int64
  /// Returns the value as a double; 0 for NULL.
  func double(at index: Int32) -> Double
  /// Returns the value as text; the empty text for NULL.
  func text(at index: Int32) -> String
  /// Returns the value's bytes, valid until the next step, reset or text read; none for NULL.
  func blob(at index: Int32) -> UnsafeRawBufferPointer
  /// Returns the number of bytes of a text or blob.
  func byteCount(at index: Int32) -> Int

  // MARK: Binding without a copy

  /// Binds text as these bytes, UTF-8 or not, which the caller keeps in place until it binds again.
  func bind(unownedText bytes: UnsafeRawBufferPointer, at index: Int32) throws
  /// Binds a blob that the caller keeps in place until it binds again.
  func bind(unownedBlob bytes: UnsafeRawBufferPointer, at index: Int32) throws

  // MARK: Running

  /// Says that the next run is not read to its end, or that other statements run between its rows.
  ///
  /// An engine on a server then asks for the rows some at a time, if the run is in a transaction. The others do so
  /// anyway.
  func readInPortions()

  // MARK: Sending

  /// Sends the statement, which writes, with its bound values.
  ///
  /// An engine with ``EngineCapabilities/sendsAhead`` leaves its end to the connection's next call. The others run it to
  /// its end.
  ///
  /// - Throws: The engine's error, also that of a write that was sent before; what `write` makes of it.
  func send(_ write: PendingWrite) throws

  // MARK: Sharing

  /// Keeps the connection from giving the statement to others until `takeBack()`.
  func lend()
  /// Lets the connection give the statement to others again.
  func takeBack()
  /// Returns what `owner` kept about the columns; nil if nothing was kept or the engine has prepared the statement
  /// again since, as it does when a step finds the file's tables changed.
  func notes(of owner: AnyObject) -> AnyObject?
  /// Keeps what `owner` knows about the columns.
  func keep(_ notes: AnyObject, of owner: AnyObject)
}
