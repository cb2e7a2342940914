import CSQLite
package import NacreEngine

extension Connection {
  /// Reads the raw bytes of a file, block by block.
  ///
  /// It reads through SQLite's own descriptor. If the process opened another descriptor on the database, closing that
  /// one would drop the locks that SQLite has on the file (sqlite.org/howtocorrupt.html, section 2.2). Others may write
  /// meanwhile, so the blocks need not show one state.
  ///
  /// - Parameters:
  ///   - file: The file; if it is not open, there are no bytes.
  ///   - byteCount: The size of a block.
  ///   - body: Called with each block, which is valid during the call only.
  /// - Throws: SQLITE_IOERR; the error of `body`.
  package func readRaw(
    _ file: RawFile,
    blockByteCount byteCount: Int = 1 << 18,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let pointer = try openFile(file)
    guard let pointer, let methods = pointer.pointee.pMethods?.pointee,
      let readSize = methods.xFileSize, let read = methods.xRead
    else { return }
    var size: sqlite3_int64 = 0
    try check(readSize(pointer, &size))
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 4096)
    defer {
      // The pages of a sealed file come opened.
      block.cleanse()
      block.deallocate()
    }
    var offset: sqlite3_int64 = 0
    while offset < size {
      let count = Int(min(size - offset, Int64(byteCount)))
      let result = read(pointer, block.baseAddress, Int32(count), offset)
      // The file was cut short meanwhile.
      if result == SQLITE_IOERR | (2 << 8) { return }
      try check(result)
      try body(UnsafeRawBufferPointer(rebasing: block[..<count]))
      offset += Int64(count)
    }
  }

  /// Returns SQLite's own handle of a file, which SQLite closes; nil if it has none.
  ///
  /// - Throws: SQLite's error.
  func openFile(_ file: RawFile) throws(SQLiteError) -> UnsafeMutablePointer<sqlite3_file>? {
    let handle = try opened()
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    let question =
      file == .database ? SQLITE_FCNTL_FILE_POINTER : SQLITE_FCNTL_JOURNAL_POINTER
    let result = sqlite3_file_control(handle, "main", question, &pointer)
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle, sql: nil) }
    return pointer
  }

  private func check(_ result: Int32) throws(SQLiteError) {
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle, sql: nil) }
  }
}
