import Foundation
import NacreCrypto
import NacreEngine
import NacreSQLite
import NacreStore

/// A sealed file of one test's own.
struct SealedScene {
  static let createTable =
    "CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX i ON t (text)"

  let database: TemporaryDatabase
  let pages: SealedPages
  var path: String { database.path }

  init(pageByteCount: Int = 4096) throws {
    database = try TemporaryDatabase()
    let keys = try FileKeys.create(
      storeID: .random(),
      pageByteCount: pageByteCount,
      createdAt: 0,
      slot: NewSlot(id: 1, secret: .raw(SecretBytes(random: 32)))
    )
    pages = SealedPages(FileSealer(keys: keys))
    let header = try keys.header.encode()
    try Data(header + header).write(to: URL(fileURLWithPath: database.path))
  }

  func open(
    _ journalMode: Pragmas.JournalMode = .wal,
    mode: Connection.Mode = .readWrite,
    synchronous: Pragmas.Synchronous = .normal,
    at path: String? = nil,
    sealing pages: SealedPages? = nil
  ) throws -> Connection {
    var configuration = ConnectionConfiguration()
    configuration.pragmas.journalMode = journalMode
    configuration.pragmas.synchronous = synchronous
    return try Connection(
      path: path ?? self.path,
      mode: mode,
      sealing: pages ?? self.pages,
      configuration: configuration
    )
  }

  /// Copies the database, its log and its journal as they are, as a crash would leave them.
  func crashed() throws -> String {
    let copy = database.directory + "/crashed-\(UUID().uuidString).db"
    for ending in ["", "-nlog", "-njournal"]
    where FileManager.default.fileExists(atPath: path + ending) {
      try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
    }
    return copy
  }

  /// The bytes of all files in the directory.
  func bytesOnDisk() throws -> [(name: String, bytes: Data)] {
    try FileManager.default.contentsOfDirectory(atPath: database.directory).map { name in
      (name, try Data(contentsOf: URL(fileURLWithPath: database.directory + "/" + name)))
    }
  }

  /// Changes one bit of a file.
  static func flip(_ path: String, at offset: Int) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(offset))
    let byte = try file.read(upToCount: 1)?.first ?? 0
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: [byte ^ 1])
    try file.close()
  }
}

extension Connection {
  /// Whether SQLite finds no fault in the database.
  func isWhole() throws -> Bool { try text("PRAGMA integrity_check") == "ok" }

  /// Inserts or replaces rows with a text in each.
  func insert(_ rows: Range<Int>, _ text: String = "marker-in-a-text") throws {
    for id in rows {
      try execute(
        "INSERT OR REPLACE INTO t VALUES (\(id), '\(text)-\(id)-' || hex(zeroblob(300)))"
      )
    }
  }
}
