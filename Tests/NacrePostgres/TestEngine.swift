#if PostgreSQL
import Foundation
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import TestSupport

/// An engine on which a test of entities runs.
enum TestEngine: CaseIterable, CustomTestStringConvertible {
  case sqlite, postgres

  var testDescription: String { self == .sqlite ? "SQLite" : "PostgreSQL" }

  /// Makes a new store with a key of its own.
  func makeStore() throws -> EngineStore {
    let directory = try TemporaryDirectory()
    let path = try self == .sqlite ? directory.file("store.db") : TestPlace.newSchema()
    return try EngineStore(directory, path)
  }
}

/// A store on an engine, which can be opened again.
final class EngineStore {
  let directory: TemporaryDirectory
  let path: String
  private(set) var store: Store

  fileprivate init(_ directory: TemporaryDirectory, _ path: String) throws {
    (self.directory, self.path) = (directory, path)
    store = try Self.open(directory, path)
  }

  private static func open(
    _ directory: TemporaryDirectory,
    _ path: String,
    _ options: StoreOptions = .patient
  ) throws -> Store {
    try Store.open(
      path,
      unlock: .keyFile(directory.file("store.key"), createIfMissing: true),
      options: options
    )
  }

  /// Opens the store once more, as another process would.
  func another(_ options: StoreOptions = .patient) throws -> Store {
    try Self.open(directory, path, options)
  }

  /// Closes the store and opens it again.
  func reopen() throws {
    try store.close()
    store = try Self.open(directory, path)
  }
}

extension RotationOptions {
  /// Waits for the readers of other tests' stores, which are in the same database.
  static var patient: RotationOptions {
    var options = RotationOptions()
    options.readerTimeout = 600
    return options
  }
}
#endif
