import CSQLite
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file system in memory as SQLite sees it (sqlite.org/vfs.html).
///
/// It opens the files of ``MemoryDatabase`` and temporary files, never a file on a disk. SQLite's
/// own ways to share a database in memory have no write-ahead log, so that with them a reader keeps
/// every writer from committing.
enum MemoryFileSystem {
  /// The name by which SQLite knows the file system; nil if SQLite has refused it.
  // Written once, and never released.
  nonisolated(unsafe) static let name: UnsafePointer<CChar>? = register()

  // Written once, and never released.
  nonisolated(unsafe) private static let methods = makeMethods()

  /// Where our own pointer stands behind SQLite's part of an open file.
  private static let openingOffset = MemoryLayout<sqlite3_file>.stride

  // MARK: - Registration

  private static func register() -> UnsafePointer<CChar>? {
    guard let name = strdup("nacre-memory") else { return nil }
    let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    system.initialize(to: sqlite3_vfs())
    system.pointee.iVersion = 2
    system.pointee.szOsFile = Int32(openingOffset + MemoryLayout<UnsafeMutableRawPointer?>.stride)
    system.pointee.mxPathname = 512
    system.pointee.zName = UnsafePointer(name)
    setFiles(of: system)
    setSystem(of: system)
    guard sqlite3_vfs_register(system, 0) == SQLITE_OK else { return nil }
    return UnsafePointer(name)
  }

  private static func setFiles(of system: UnsafeMutablePointer<sqlite3_vfs>) {
    system.pointee.xOpen = { _, path, file, flags, opened in
      MemoryFileSystem.open(path.map { String(cString: $0) }, file, flags, opened)
    }
    system.pointee.xDelete = { _, path, _ in
      guard let path, MemoryDatabase.remove(String(cString: path)) else {
        // SQLITE_IOERR_DELETE_NOENT, which SQLite expects of a file that is not there.
        return SQLITE_IOERR | (23 << 8)
      }
      return SQLITE_OK
    }
    system.pointee.xAccess = { _, path, question, answer in
      let file = path.flatMap { MemoryDatabase.file(at: String(cString: $0)) }
      // As SQLite's own file systems have it, an empty file does not exist.
      let isThere = file.map { question != SQLITE_ACCESS_EXISTS || $0.size > 0 } ?? false
      answer?.pointee = isThere ? 1 : 0
      return SQLITE_OK
    }
    system.pointee.xFullPathname = { _, path, capacity, full in
      guard let path, let full else { return SQLITE_CANTOPEN }
      let count = strlen(path) + 1
      guard count <= Int(capacity) else { return SQLITE_CANTOPEN }
      full.update(from: path, count: count)
      return SQLITE_OK
    }
  }

  private static func setSystem(of system: UnsafeMutablePointer<sqlite3_vfs>) {
    system.pointee.xDlOpen = { _, _ in nil }
    system.pointee.xDlError = { _, _, _ in }
    system.pointee.xRandomness = { _, count, bytes in
      guard let bytes else { return 0 }
      for index in 0..<max(0, Int(count)) {
        bytes[index] = CChar(truncatingIfNeeded: UInt8.random(in: .min ... .max))
      }
      return count
    }
    system.pointee.xSleep = { _, microseconds in
      usleep(UInt32(max(0, microseconds)))
      return microseconds
    }
    system.pointee.xCurrentTime = { _, days in
      days?.pointee = Double(MemoryFileSystem.julianMilliseconds()) / 86_400_000
      return SQLITE_OK
    }
    system.pointee.xCurrentTimeInt64 = { _, milliseconds in
      milliseconds?.pointee = MemoryFileSystem.julianMilliseconds()
      return SQLITE_OK
    }
    system.pointee.xGetLastError = { _, _, _ in 0 }
  }

  /// The time since noon in Greenwich on November 24, 4714 B.C., as SQLite counts it.
  private static func julianMilliseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return 210_866_760_000_000 + Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }

  // MARK: - Open files

  private static func open(
    _ path: String?,
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ flags: Int32,
    _ opened: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file else { return SQLITE_CANTOPEN }
    // SQLite closes a file that failed to open only if it has methods.
    file.pointee.pMethods = nil
    guard let found = named(path, creates: flags & SQLITE_OPEN_CREATE != 0) else {
      return SQLITE_CANTOPEN
    }
    let isTemporary = flags & SQLITE_OPEN_DELETEONCLOSE != 0
    let opening = MemoryOpening(found, temporaryPath: isTemporary ? path : nil)
    let pointer: UnsafeMutableRawPointer? = Unmanaged.passRetained(opening).toOpaque()
    UnsafeMutableRawPointer(file)
      .storeBytes(of: pointer, toByteOffset: openingOffset, as: UnsafeMutableRawPointer?.self)
    file.pointee.pMethods = methods
    opened?.pointee = flags
    return SQLITE_OK
  }

  /// Returns the file of a path; a new one without a name for no path, which is a temporary file's.
  private static func named(_ path: String?, creates: Bool) -> MemoryFile? {
    guard let path else { return MemoryFile() }
    return MemoryDatabase.file(at: path, creates: creates)
  }

  private static func close(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
    guard let file, let pointer = openingPointer(file) else { return SQLITE_OK }
    let opening = Unmanaged<MemoryOpening>.fromOpaque(pointer).takeRetainedValue()
    UnsafeMutableRawPointer(file)
      .storeBytes(of: nil, toByteOffset: openingOffset, as: UnsafeMutableRawPointer?.self)
    opening.file.close(opening)
    if let path = opening.temporaryPath { _ = MemoryDatabase.remove(path) }
    return SQLITE_OK
  }

  private static func openingPointer(
    _ file: UnsafeMutablePointer<sqlite3_file>
  ) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(file)
      .load(fromByteOffset: openingOffset, as: UnsafeMutableRawPointer?.self)
  }

  /// Calls a closure with an open file.
  private static func on(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ body: (MemoryOpening) -> Int32
  ) -> Int32 {
    guard let file, let pointer = openingPointer(file) else { return SQLITE_IOERR }
    return body(Unmanaged<MemoryOpening>.fromOpaque(pointer).takeUnretainedValue())
  }

  // MARK: - Methods of open files

  private static func makeMethods() -> UnsafePointer<sqlite3_io_methods> {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    methods.pointee.iVersion = 2
    setBytes(of: methods)
    setLocks(of: methods)
    setIndex(of: methods)
    return UnsafePointer(methods)
  }

  private static func setBytes(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
    methods.pointee.xClose = { file in MemoryFileSystem.close(file) }
    methods.pointee.xRead = { file, bytes, count, offset in
      MemoryFileSystem.on(file) {
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
        return $0.file.read(into: buffer, at: Int(offset))
      }
    }
    methods.pointee.xWrite = { file, bytes, count, offset in
      MemoryFileSystem.on(file) {
        let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        return $0.file.write(buffer, at: Int(offset))
      }
    }
    methods.pointee.xTruncate = { file, size in
      MemoryFileSystem.on(file) { $0.file.truncate(to: Int(size)) }
    }
    methods.pointee.xSync = { _, _ in SQLITE_OK }
    methods.pointee.xFileSize = { file, size in
      MemoryFileSystem.on(file) {
        size?.pointee = Int64($0.file.size)
        return SQLITE_OK
      }
    }
    methods.pointee.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    methods.pointee.xSectorSize = { _ in 4096 }
    methods.pointee.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
  }

  private static func setLocks(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
    methods.pointee.xLock = { file, level in
      MemoryFileSystem.on(file) { $0.file.lock(level, for: $0) }
    }
    methods.pointee.xUnlock = { file, level in
      MemoryFileSystem.on(file) { $0.file.unlock(to: level, for: $0) }
    }
    methods.pointee.xCheckReservedLock = { file, answer in
      MemoryFileSystem.on(file) {
        answer?.pointee = $0.file.isReserved ? 1 : 0
        return SQLITE_OK
      }
    }
  }

  private static func setIndex(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
    methods.pointee.xShmMap = { file, index, count, extends, region in
      MemoryFileSystem.on(file) {
        $0.file.mapIndex(Int(index), byteCount: Int(count), extends: extends != 0, for: $0, region)
      }
    }
    methods.pointee.xShmLock = { file, first, count, flags in
      guard first >= 0, count > 0, first + count <= 8 else { return SQLITE_IOERR }
      let slots = ((UInt32(1) << UInt32(count)) - 1) << UInt32(first)
      return MemoryFileSystem.on(file) { $0.file.changeSlots(slots, flags, for: $0) }
    }
    methods.pointee.xShmBarrier = { _ in
      atomicMemoryFence(ordering: .sequentiallyConsistent)
    }
    methods.pointee.xShmUnmap = { file, _ in
      MemoryFileSystem.on(file) { $0.file.unmapIndex(for: $0) }
    }
  }
}
