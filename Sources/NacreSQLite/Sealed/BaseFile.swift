import CSQLite

/// An open file of SQLite's default file system, on which a sealed file stands.
///
/// All access goes through it: if the process opened the same file a second time, closing that
/// descriptor would drop SQLite's locks (sqlite.org/howtocorrupt.html, section 2.2).
final class BaseFile {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let memory: UnsafeMutableRawPointer
  /// The name under which it was opened, if this object has to keep it; SQLite does not copy names.
  private let name: FileName?
  private let methods: sqlite3_io_methods

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - name: The name as SQLite passed it; nil for a temporary file.
  ///   - kept: The name instead, which this object keeps.
  ///   - flags: SQLite's flags.
  ///   - opened: Receives the flags with which it was opened.
  /// - Returns: The open file, or SQLite's code.
  static func open(
    _ name: UnsafePointer<CChar>?,
    keeping kept: FileName? = nil,
    _ flags: Int32,
    _ opened: UnsafeMutablePointer<Int32>?
  ) -> Result<BaseFile, OpeningFailure> {
    guard let system = sqlite3_vfs_find(nil), let open = system.pointee.xOpen else {
      return .failure(OpeningFailure(code: SQLITE_CANTOPEN))
    }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Int(system.pointee.szOsFile),
      alignment: 16
    )
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(system.pointee.szOsFile))
    let file = memory.assumingMemoryBound(to: sqlite3_file.self)
    let result = open(system, kept?.pointer ?? name, file, flags, opened)
    guard result == SQLITE_OK, let methods = file.pointee.pMethods?.pointee else {
      // SQLite's own file systems set the methods of a file that failed to open to nil.
      if let close = file.pointee.pMethods?.pointee.xClose { _ = close(file) }
      memory.deallocate()
      return .failure(OpeningFailure(code: result == SQLITE_OK ? SQLITE_CANTOPEN : result))
    }
    return .success(BaseFile(file, memory, kept, methods))
  }

  private init(
    _ file: UnsafeMutablePointer<sqlite3_file>,
    _ memory: UnsafeMutableRawPointer,
    _ name: FileName?,
    _ methods: sqlite3_io_methods
  ) {
    self.file = file
    self.memory = memory
    self.name = name
    self.methods = methods
  }

  deinit { memory.deallocate() }

  /// Closes the file; nothing else may be called afterwards.
  func close() -> Int32 { methods.xClose?(file) ?? SQLITE_OK }

  // MARK: - Bytes

  /// Reads bytes; those behind the end of the file become zeros, with the code of a short read.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
    methods.xRead?(file, buffer.baseAddress, Int32(buffer.count), offset) ?? ResultCode.readFailure
  }

  func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    methods.xWrite?(file, buffer.baseAddress, Int32(buffer.count), offset)
      ?? ResultCode.writeFailure
  }

  func truncate(to size: Int64) -> Int32 { methods.xTruncate?(file, size) ?? SQLITE_IOERR }

  func sync(_ flags: Int32) -> Int32 { methods.xSync?(file, flags) ?? SQLITE_IOERR }

  /// The size in bytes, or SQLite's code.
  func size(_ size: inout Int64) -> Int32 { methods.xFileSize?(file, &size) ?? SQLITE_IOERR }

  // MARK: - Locks

  func lock(_ level: Int32) -> Int32 { methods.xLock?(file, level) ?? SQLITE_IOERR }

  func unlock(to level: Int32) -> Int32 { methods.xUnlock?(file, level) ?? SQLITE_IOERR }

  func checkReservedLock(_ answer: UnsafeMutablePointer<Int32>?) -> Int32 {
    methods.xCheckReservedLock?(file, answer) ?? SQLITE_IOERR
  }

  // MARK: - The rest

  func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    methods.xFileControl?(file, operation, argument) ?? SQLITE_NOTFOUND
  }

  var deviceCharacteristics: Int32 { methods.xDeviceCharacteristics?(file) ?? 0 }

  func mapIndex(
    _ region: Int32,
    _ byteCount: Int32,
    _ extends: Int32,
    _ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> Int32 {
    methods.xShmMap?(file, region, byteCount, extends, memory) ?? SQLITE_IOERR
  }

  func lockIndex(_ first: Int32, _ count: Int32, _ flags: Int32) -> Int32 {
    methods.xShmLock?(file, first, count, flags) ?? SQLITE_IOERR
  }

  func indexBarrier() { methods.xShmBarrier?(file) }

  func unmapIndex(deleting: Int32) -> Int32 { methods.xShmUnmap?(file, deleting) ?? SQLITE_OK }
}

/// SQLite's code for a file that could not be opened.
struct OpeningFailure: Error {
  let code: Int32
}

/// The name of a file that SQLite does not know: kept as long as the file is open.
final class FileName {
  let pointer: UnsafePointer<CChar>

  /// Copies a path, with the two NULs behind it that end SQLite's list of parameters.
  init(_ path: String) {
    let bytes = path.utf8CString
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 3)
    memory.initialize(repeating: 0, count: bytes.count + 3)
    bytes.withUnsafeBufferPointer { copied in
      if let start = copied.baseAddress { memory.update(from: start, count: copied.count) }
    }
    pointer = UnsafePointer(memory)
  }

  deinit { pointer.deallocate() }
}
