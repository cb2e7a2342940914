import CSQLite
import NacreEngine
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file system that seals what SQLite writes, over SQLite's default one (sqlite.org/vfs.html).
///
/// The default one is asked for at every call. So a file system that is registered as the default
/// one later stands below the seals as it stands below plain files.
enum SealedFileSystem {
  /// The name by which SQLite knows the file system; nil if SQLite has refused it.
  // Written once, and never released.
  nonisolated(unsafe) static let name: UnsafePointer<CChar>? = register()

  // Written once, and never released.
  nonisolated(unsafe) private static let methods = makeMethods()

  /// Where our own pointer stands behind SQLite's part of an open file.
  private static let fileOffset = MemoryLayout<sqlite3_file>.stride

  // MARK: - Sealers

  private struct Sealers {
    var last: Int64 = 0
    var all: [Int64: any PageSealer] = [:]
  }

  private static let sealers = Mutex(Sealers())
  /// The parameter of a database's URI that names the sealer of its pages.
  private static let parameter = "nacre-sealer"

  /// Keeps a sealer, until its number is given back.
  static func add(_ sealer: any PageSealer) -> Int64 {
    sealers.withLock { sealers -> Int64 in
      sealers.last += 1
      sealers.all[sealers.last] = sealer
      return sealers.last
    }
  }

  /// Lets a sealer go; connections that are open keep it.
  static func remove(_ number: Int64) {
    sealers.withLock { _ = $0.all.removeValue(forKey: number) }
  }

  /// The parameter of the URI by which SQLite opens a file under a sealer.
  static func parameter(sealer number: Int64) -> String { "\(parameter)=\(number)" }

  // MARK: - Registration

  private static func register() -> UnsafePointer<CChar>? {
    guard let base = sqlite3_vfs_find(nil), let name = strdup("nacre-sealed") else { return nil }
    let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    // Whatever concerns no file's content, such as time and randomness, is the default one's.
    system.initialize(to: base.pointee)
    system.pointee.pNext = nil
    system.pointee.szOsFile = Int32(fileOffset + MemoryLayout<UnsafeMutableRawPointer?>.stride)
    system.pointee.zName = UnsafePointer(name)
    system.pointee.xOpen = { _, path, file, flags, opened in
      SealedFileSystem.open(path, file, flags, opened)
    }
    system.pointee.xDelete = { _, path, syncsDirectory in
      guard let system = sqlite3_vfs_find(nil), let delete = system.pointee.xDelete else {
        return SQLITE_IOERR
      }
      return SealedFileSystem.onDisk(path) { delete(system, $0, syncsDirectory) }
    }
    system.pointee.xAccess = { _, path, question, answer in
      guard let system = sqlite3_vfs_find(nil), let access = system.pointee.xAccess else {
        return SQLITE_IOERR
      }
      return SealedFileSystem.onDisk(path) { access(system, $0, question, answer) }
    }
    guard sqlite3_vfs_register(system, 0) == SQLITE_OK else { return nil }
    return UnsafePointer(name)
  }

  /// The endings of SQLite's names for a log and a journal, and ours.
  ///
  /// A program that takes a sealed file for no database deletes the log and the journal under
  /// SQLite's names, as SQLite's shell does.
  static let endings = [("-wal", logEnding), ("-journal", journalEnding)]

  /// The ending of the name of a file that is to take a database's place.
  static let draftEnding = "-nconvert"

  /// The ending of a log's name on the disk.
  static let logEnding = "-nlog"

  /// The ending of a rollback journal's name on the disk.
  static let journalEnding = "-njournal"

  /// The ending of the name of a rekey's journal, of which SQLite knows nothing.
  static let rekeyEnding = "-nrekey"

  /// Returns the name on the disk of a file of SQLite's.
  static func nameOnDisk(_ name: String) -> String {
    for (theirs, ours) in endings where name.hasSuffix(theirs) {
      return name.dropLast(theirs.count) + ours
    }
    return name
  }

  private static func onDisk(
    _ path: UnsafePointer<CChar>?,
    _ body: (UnsafePointer<CChar>?) -> Int32
  ) -> Int32 {
    guard let path else { return body(nil) }
    return nameOnDisk(String(cString: path)).withCString { body($0) }
  }

  /// Deletes a file by its name on the disk, and waits until the disk knows its directory if wanted.
  static func delete(_ name: FileName, syncsDirectory: Bool = false) -> Int32 {
    guard let system = sqlite3_vfs_find(nil), let delete = system.pointee.xDelete else {
      return SQLITE_IOERR
    }
    return delete(system, name.pointer, syncsDirectory ? 1 : 0)
  }

  // MARK: - Opening

  private static func open(
    _ path: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ flags: Int32,
    _ opened: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file else { return SQLITE_CANTOPEN }
    // SQLite closes a file that failed to open only if it has methods.
    file.pointee.pMethods = nil
    switch openFile(path, flags, opened) {
    case .failure(let failure): return failure.code
    case .success(let sealed):
      let pointer: UnsafeMutableRawPointer? = Unmanaged.passRetained(sealed).toOpaque()
      UnsafeMutableRawPointer(file)
        .storeBytes(of: pointer, toByteOffset: fileOffset, as: UnsafeMutableRawPointer?.self)
      file.pointee.pMethods = methods
      return SQLITE_OK
    }
  }

  private static func openFile(
    _ path: UnsafePointer<CChar>?,
    _ flags: Int32,
    _ opened: UnsafeMutablePointer<Int32>?
  ) -> Result<SealedFile, OpeningFailure> {
    if flags & SQLITE_OPEN_MAIN_DB != 0 { return openDatabase(path, flags, opened) }
    guard flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0 else {
      return openTemporaryFile(path, flags, opened)
    }
    guard let path, let main = sqlite3_database_file_object(path),
      let database = sealedFile(main) as? SealedDatabase
    else { return cannotOpen }
    let name = FileName(nameOnDisk(String(cString: path)))
    return BaseFile.open(nil, keeping: name, flags, opened).map { base in
      flags & SQLITE_OPEN_WAL != 0
        ? SealedLog(base, database.connection) : SealedJournal(base, database.connection)
    }
  }

  private static func openDatabase(
    _ path: UnsafePointer<CChar>?,
    _ flags: Int32,
    _ opened: UnsafeMutablePointer<Int32>?
  ) -> Result<SealedFile, OpeningFailure> {
    let number = sqlite3_uri_int64(path, parameter, 0)
    guard let sealer = sealers.withLock({ $0.all[number] }) else { return cannotOpen }
    let name = path.map { String(cString: $0) } ?? ""
    return standing(on: BaseFile.open(path, flags, opened)) { base in
      SealedDatabase(base, try SealedConnection(sealer, on: base, path: name))
    }
  }

  private static func openTemporaryFile(
    _ path: UnsafePointer<CChar>?,
    _ flags: Int32,
    _ opened: UnsafeMutablePointer<Int32>?
  ) -> Result<SealedFile, OpeningFailure> {
    // A key is drawn for the file alone, so any sealer can make its cipher. Only a journal over
    // several databases has a name here; a sealed connection has one database.
    guard path == nil, let sealer = sealers.withLock({ $0.all.values.first }) else {
      return cannotOpen
    }
    return standing(on: BaseFile.open(nil, flags, opened)) { base in
      TemporaryFile(base, try sealer.temporaryCipher())
    }
  }

  /// Makes the file that stands on an open one, which is closed if that fails.
  private static func standing(
    on base: Result<BaseFile, OpeningFailure>,
    _ make: (BaseFile) throws -> SealedFile
  ) -> Result<SealedFile, OpeningFailure> {
    base.flatMap { base in
      do {
        return .success(try make(base))
      } catch {
        _ = base.close()
        return cannotOpen
      }
    }
  }

  private static var cannotOpen: Result<SealedFile, OpeningFailure> {
    .failure(OpeningFailure(code: SQLITE_CANTOPEN))
  }

  static func close(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
    guard let file, let pointer = filePointer(file) else { return SQLITE_OK }
    let sealed = Unmanaged<SealedFile>.fromOpaque(pointer).takeRetainedValue()
    UnsafeMutableRawPointer(file)
      .storeBytes(of: nil, toByteOffset: fileOffset, as: UnsafeMutableRawPointer?.self)
    return sealed.close()
  }

  private static func filePointer(
    _ file: UnsafeMutablePointer<sqlite3_file>
  ) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(file)
      .load(fromByteOffset: fileOffset, as: UnsafeMutableRawPointer?.self)
  }

  private static func sealedFile(_ file: UnsafeMutablePointer<sqlite3_file>) -> SealedFile? {
    guard file.pointee.pMethods == methods, let pointer = filePointer(file) else { return nil }
    return Unmanaged<SealedFile>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Calls a closure with an open file.
  @inline(__always)
  static func on(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ body: (SealedFile) -> Int32
  ) -> Int32 {
    guard let file, let pointer = filePointer(file) else { return SQLITE_IOERR }
    return body(Unmanaged<SealedFile>.fromOpaque(pointer).takeUnretainedValue())
  }

  // MARK: - Faults

  /// Whether a connection's database is a sealed file.
  static func isSealed(_ handle: OpaquePointer) -> Bool { connection(handle) != nil }

  /// Returns why the files of a connection refused their last read or write; nil if none did.
  static func fault(on handle: OpaquePointer) -> SealedFault? { connection(handle)?.fault }

  /// Returns the state that the open files of a connection share; nil if its database is not a sealed file.
  static func connection(_ handle: OpaquePointer) -> SealedConnection? {
    var pointer: UnsafeMutableRawPointer?
    let question = SealedDatabase.connectionQuestion
    guard sqlite3_file_control(handle, "main", question, &pointer) == SQLITE_OK, let pointer else {
      return nil
    }
    return Unmanaged<SealedConnection>.fromOpaque(pointer).takeUnretainedValue()
  }
}
