import Foundation
import NacreSQLite

/// A directory of one test's own, removed with the object.
final class TemporaryDatabase: Sendable {
  let directory: String
  var path: String { directory + "/test.db" }

  init() throws {
    directory = NSTemporaryDirectory() + "/nacre-sqlite-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true
    )
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  func open(
    _ mode: Connection.Mode = .create,
    busyTimeoutMilliseconds: Int32 = 5_000,
    statementCacheCapacity: Int = 128,
    synchronous: Pragmas.Synchronous = .normal
  ) throws -> Connection {
    var configuration = ConnectionConfiguration()
    configuration.pragmas.busyTimeout = Double(busyTimeoutMilliseconds) / 1000
    configuration.statementCacheCapacity = statementCacheCapacity
    configuration.pragmas.synchronous = synchronous
    return try Connection(path: path, mode: mode, configuration: configuration)
  }

  func byteCount(ofSuffix suffix: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
    return attributes?[.size] as? Int
  }
}

extension Connection {
  /// The first column of the first row as an integer.
  func integer(_ sql: String) throws -> Int64 {
    let statement = try prepare(sql)
    _ = try statement.step()
    return statement.int64(at: 0)
  }

  /// The first column of the first row as text.
  func text(_ sql: String) throws -> String {
    let statement = try prepare(sql)
    _ = try statement.step()
    return statement.text(at: 0)
  }
}
