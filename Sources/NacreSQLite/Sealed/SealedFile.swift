import CSQLite

/// An open file as SQLite uses it; each kind of file has its subclass.
///
/// Every call returns one of SQLite's codes. A file that is not locked or shared answers as SQLite's
/// own journals do.
class SealedFile {
  let base: BaseFile

  init(_ base: BaseFile) { self.base = base }

  func close() -> Int32 { base.close() }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
    ResultCode.readFailure
  }

  func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    ResultCode.writeFailure
  }

  func truncate(to size: Int64) -> Int32 { base.truncate(to: size) }
  func sync(_ flags: Int32) -> Int32 { base.sync(flags) }
  func size(_ size: inout Int64) -> Int32 { base.size(&size) }

  func lock(_ level: Int32) -> Int32 { base.lock(level) }
  func unlock(to level: Int32) -> Int32 { base.unlock(to: level) }

  func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    switch operation {
    // Sizes of plain files, and writes that are atomic without a journal, are not those of pages.
    case SQLITE_FCNTL_SIZE_HINT, SQLITE_FCNTL_CHUNK_SIZE: SQLITE_OK
    case SQLITE_FCNTL_MMAP_SIZE, SQLITE_FCNTL_BEGIN_ATOMIC_WRITE,
      SQLITE_FCNTL_COMMIT_ATOMIC_WRITE, SQLITE_FCNTL_ROLLBACK_ATOMIC_WRITE:
      SQLITE_NOTFOUND
    default: base.control(operation, argument)
    }
  }

  /// The promises that SQLite may rely on: a write leaves the bytes beside it, and an open file stays.
  var deviceCharacteristics: Int32 {
    base.deviceCharacteristics
      & (SQLITE_IOCAP_POWERSAFE_OVERWRITE | SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN)
  }

  func lockIndex(_ first: Int32, _ count: Int32, _ flags: Int32) -> Int32 {
    base.lockIndex(first, count, flags)
  }

  /// Clears a buffer from a position on, and reports a short read.
  final func shortRead(_ buffer: UnsafeMutableRawBufferPointer, from position: Int = 0) -> Int32 {
    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[position...])
    rest.initializeMemory(as: UInt8.self, repeating: 0)
    return ResultCode.shortRead
  }
}
