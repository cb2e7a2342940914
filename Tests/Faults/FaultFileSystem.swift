import CSQLite
import Foundation
import Synchronization

/// SQLite's default file system, with those files among its own that lie on a ``FaultyDisk``.
///
/// Whatever does not lie on one is opened by the file system below, which then answers for itself.
enum FaultFileSystem {
  private struct Disk {
    weak var disk: FaultyDisk?
  }

  private struct Disks {
    var all: [String: Disk] = [:]
    var ofTemporaryFiles = Disk()
  }

  private static let disks = Mutex(Disks())

  /// The file system below; nil if SQLite has none, or has refused this one.
  // Written once, and never released.
  nonisolated(unsafe) private static let below = register()
  // Written once, and never released.
  nonisolated(unsafe) private static let methods = makeMethods()
  /// Where our own pointer stands behind SQLite's part of an open file.
  private static let fileOffset = MemoryLayout<sqlite3_file>.stride

  // MARK: - Disks

  static func add(_ disk: FaultyDisk, takesTemporaryFiles: Bool) throws {
    guard below != nil else { throw CocoaError(.featureUnsupported) }
    disks.withLock { disks in
      disks.all[disk.directory] = Disk(disk: disk)
      if takesTemporaryFiles { disks.ofTemporaryFiles = Disk(disk: disk) }
    }
  }

  static func remove(_ directory: String) {
    disks.withLock { disks in
      if disks.all[directory]?.disk == nil { disks.all[directory] = nil }
    }
  }

  /// Returns the disk on which a file lies; nil if it lies on none.
  private static func disk(of path: UnsafePointer<CChar>?) -> FaultyDisk? {
    disks.withLock { disks in
      guard let path else { return disks.ofTemporaryFiles.disk }
      let file = String(cString: path)
      // The index of a log is SQLite's own affair.
      guard !disks.all.isEmpty, let end = file.lastIndex(of: "/"), !file.hasSuffix("-shm") else {
        return nil
      }
      // Not all who open files ask SQLite for the whole name first.
      return disks.all[resolved(String(file[..<end]))]?.disk
    }
  }

  /// Returns a path without symbolic links and doubled slashes.
  static func resolved(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  // MARK: - Registration

  private static func register() -> UnsafeMutablePointer<sqlite3_vfs>? {
    guard let below = sqlite3_vfs_find(nil), let name = strdup("nacre-faults") else { return nil }
    let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    system.initialize(to: below.pointee)
    system.pointee.pNext = nil
    let own = Int32(fileOffset + MemoryLayout<UnsafeMutableRawPointer?>.stride)
    system.pointee.szOsFile = max(below.pointee.szOsFile, own)
    system.pointee.zName = UnsafePointer(name)
    system.pointee.xOpen = { _, path, file, flags, opened in
      FaultFileSystem.open(path, file, flags, opened)
    }
    system.pointee.xDelete = { _, path, syncsNames in FaultFileSystem.delete(path, syncsNames) }
    guard sqlite3_vfs_register(system, 1) == SQLITE_OK else { return nil }
    return below
  }

  // MARK: - Calls

  private static func open(
    _ path: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ flags: Int32,
    _ opened: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file, let below, let open = below.pointee.xOpen else { return SQLITE_CANTOPEN }
    guard let disk = disk(of: path) else { return open(below, path, file, flags, opened) }
    file.pointee.pMethods = nil
    if let fault = disk.pass(.open) { return fault.code(of: .open) }
    let wasThere = exists(path)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Int(below.pointee.szOsFile),
      alignment: 16
    )
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(below.pointee.szOsFile))
    let base = memory.assumingMemoryBound(to: sqlite3_file.self)
    let result = open(below, path, base, flags, opened)
    guard result == SQLITE_OK, let baseMethods = base.pointee.pMethods?.pointee else {
      memory.deallocate()
      return result == SQLITE_OK ? SQLITE_CANTOPEN : result
    }
    let made = DiskFile(disk, base, baseMethods)
    let journals = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL
    if let path {
      made.note(String(cString: path), isNew: !wasThere, isJournal: flags & journals != 0)
    }
    let pointer: UnsafeMutableRawPointer? = Unmanaged.passRetained(made).toOpaque()
    UnsafeMutableRawPointer(file)
      .storeBytes(of: pointer, toByteOffset: fileOffset, as: UnsafeMutableRawPointer?.self)
    file.pointee.pMethods = methods
    return SQLITE_OK
  }

  private static func exists(_ path: UnsafePointer<CChar>?) -> Bool {
    guard let path else { return false }
    var status = stat()
    return stat(path, &status) == 0
  }

  private static func delete(_ path: UnsafePointer<CChar>?, _ syncsNames: Int32) -> Int32 {
    guard let below, let delete = below.pointee.xDelete else { return SQLITE_IOERR }
    guard let disk = disk(of: path) else { return delete(below, path, syncsNames) }
    if let fault = disk.pass(.delete) { return fault.code(of: .delete) }
    let result = delete(below, path, 0)
    guard result == SQLITE_OK else { return result }
    let fault = syncsNames != 0 ? disk.pass(.sync) : nil
    disk.noteNames(areSynced: syncsNames != 0 && fault == nil)
    return fault?.code(of: .sync) ?? SQLITE_OK
  }

  // MARK: - Open files

  static func close(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
    guard let file, let pointer = filePointer(file) else { return SQLITE_OK }
    let made = Unmanaged<DiskFile>.fromOpaque(pointer).takeRetainedValue()
    UnsafeMutableRawPointer(file)
      .storeBytes(of: nil, toByteOffset: fileOffset, as: UnsafeMutableRawPointer?.self)
    return made.close()
  }

  /// Calls a closure with an open file.
  static func on(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ body: (DiskFile) -> Int32
  ) -> Int32 {
    guard let file, let pointer = filePointer(file) else { return SQLITE_IOERR }
    return body(Unmanaged<DiskFile>.fromOpaque(pointer).takeUnretainedValue())
  }

  private static func filePointer(
    _ file: UnsafeMutablePointer<sqlite3_file>
  ) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(file)
      .load(fromByteOffset: fileOffset, as: UnsafeMutableRawPointer?.self)
  }
}
