import CSQLite

/// An open file of a faulty disk, over one of the file system below.
final class DiskFile {
  private let disk: FaultyDisk
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let methods: sqlite3_io_methods
  /// The file's number; nil for a temporary one, of which nothing survives.
  private var number: Int?
  /// Whether the next sync is also that of the directory, as SQLite does it for a new journal.
  private var syncsNames = false

  /// Takes over an open file and its memory.
  init(
    _ disk: FaultyDisk,
    _ file: UnsafeMutablePointer<sqlite3_file>,
    _ methods: sqlite3_io_methods
  ) {
    self.disk = disk
    self.file = file
    self.methods = methods
  }

  deinit { UnsafeMutableRawPointer(file).deallocate() }

  /// Makes the file known to the disk.
  func note(_ path: String, isNew: Bool, isJournal: Bool) {
    number = disk.open(path, isNew: isNew, content)
    syncsNames = isNew && isJournal
  }

  private func content() -> [UInt8] {
    var size: sqlite3_int64 = 0
    guard methods.xFileSize?(file, &size) == SQLITE_OK, let count = Int32(exactly: size) else {
      return []
    }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    _ = bytes.withUnsafeMutableBytes { methods.xRead?(file, $0.baseAddress, count, 0) }
    return bytes
  }

  // MARK: - Calls that can fail

  func read(_ bytes: UnsafeMutableRawPointer?, _ count: Int32, _ offset: Int64) -> Int32 {
    if let fault = disk.pass(.read) { return fault.code(of: .read) }
    return methods.xRead?(file, bytes, count, offset) ?? SQLITE_IOERR
  }

  func write(_ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64) -> Int32 {
    guard let fault = disk.pass(.write) else { return put(bytes, count, offset) }
    let half = count / 2 / Int32(PowerCut.sectorByteCount) * Int32(PowerCut.sectorByteCount)
    if fault.writesHalf, half > 0 { _ = put(bytes, half, offset) }
    return fault.code(of: .write)
  }

  private func put(_ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64) -> Int32 {
    let result = methods.xWrite?(file, bytes, count, offset) ?? SQLITE_IOERR
    if result == SQLITE_OK, let number {
      let copy = Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
      disk.append(.write(file: number, offset: Int(offset), bytes: copy))
    }
    return result
  }

  func truncate(_ size: Int64) -> Int32 {
    if let fault = disk.pass(.truncate) { return fault.code(of: .truncate) }
    let result = methods.xTruncate?(file, size) ?? SQLITE_IOERR
    if result == SQLITE_OK, let number {
      disk.append(.truncate(file: number, size: Int(size)))
    }
    return result
  }

  /// Notes the sync; the disk itself is not waited for.
  func sync() -> Int32 {
    if let fault = disk.pass(.sync) { return fault.code(of: .sync) }
    if let number { disk.append(.sync(file: number)) }
    if syncsNames { disk.noteNames(areSynced: true) }
    syncsNames = false
    return SQLITE_OK
  }

  func mapIndex(
    _ region: Int32,
    _ byteCount: Int32,
    _ extends: Int32,
    _ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> Int32 {
    if let fault = disk.pass(.index) { return fault.code(of: .index) }
    return methods.xShmMap?(file, region, byteCount, extends, memory) ?? SQLITE_IOERR
  }

  // MARK: - Calls that are passed on

  func close() -> Int32 { methods.xClose?(file) ?? SQLITE_OK }

  func size(_ size: UnsafeMutablePointer<sqlite3_int64>?) -> Int32 {
    methods.xFileSize?(file, size) ?? SQLITE_IOERR
  }

  func lock(_ level: Int32) -> Int32 { methods.xLock?(file, level) ?? SQLITE_IOERR }

  func unlock(_ level: Int32) -> Int32 { methods.xUnlock?(file, level) ?? SQLITE_IOERR }

  func checkReservedLock(_ answer: UnsafeMutablePointer<Int32>?) -> Int32 {
    methods.xCheckReservedLock?(file, answer) ?? SQLITE_IOERR
  }

  func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    methods.xFileControl?(file, operation, argument) ?? SQLITE_NOTFOUND
  }

  var sectorSize: Int32 { methods.xSectorSize?(file) ?? 512 }

  var characteristics: Int32 {
    disk.characteristics ?? methods.xDeviceCharacteristics?(file) ?? 0
  }

  func lockIndex(_ first: Int32, _ count: Int32, _ flags: Int32) -> Int32 {
    methods.xShmLock?(file, first, count, flags) ?? SQLITE_IOERR
  }

  func indexBarrier() { methods.xShmBarrier?(file) }

  func unmapIndex(_ deletes: Int32) -> Int32 { methods.xShmUnmap?(file, deletes) ?? SQLITE_OK }
}
