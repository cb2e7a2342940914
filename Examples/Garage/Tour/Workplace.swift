import Foundation

/// The directory in which the example works.
struct Workplace {
  let directory: String
  /// Whether the directory is removed when the example ends.
  let isTemporary: Bool
  /// The server with the database; nil for a file.
  let server: GarageServer?

  /// The file of the store, or the URL of its database.
  var database: String { server?.url ?? directory + "/garage.db" }
  var keyFile: String { directory + "/garage.key" }

  /// Makes the directory: `keep`, or a temporary one where that is nil.
  ///
  /// - Throws: ``WorkplaceError`` when `keep` has a garage already or can't be made.
  init(keep: String?, server: String?) throws {
    self.server = server.map { GarageServer(url: $0) }
    isTemporary = keep == nil
    directory =
      keep
      ?? FileManager.default.temporaryDirectory
      .appendingPathComponent("garage-\(UUID().uuidString)").path
    for file in [database, keyFile] where FileManager.default.fileExists(atPath: file) {
      throw WorkplaceError(reason: "\(file) exists already; choose another directory")
    }
    do {
      try FileManager.default.createDirectory(
        atPath: directory,
        withIntermediateDirectories: true
      )
    } catch {
      throw WorkplaceError(reason: "\(directory) can't be made or is no directory")
    }
  }

  /// Removes the directory if it is temporary.
  func leave() {
    if isTemporary { try? FileManager.default.removeItem(atPath: directory) }
  }

  /// How many bytes the database has on the disk, with its write-ahead log.
  var databaseByteCount: Int { databaseFiles.reduce(0) { $0 + $1.count } }

  /// Whether a text can be read anywhere in the database's files.
  func databaseContains(_ text: String) -> Bool {
    databaseFiles.contains { $0.range(of: Data(text.utf8)) != nil }
  }

  /// The first page as it lies on the disk, behind the two copies of the header.
  var firstPage: Data? {
    databaseFiles.first.flatMap { $0.count >= 65_536 + 4096 ? $0[65_536..<65_536 + 4096] : nil }
  }

  private var databaseFiles: [Data] {
    [database, database + "-nlog"].compactMap {
      try? Data(contentsOf: URL(fileURLWithPath: $0))
    }
  }
}

/// The error of a directory in which the example can't work.
struct WorkplaceError: Error, CustomStringConvertible {
  let reason: String

  var description: String { reason }
}
