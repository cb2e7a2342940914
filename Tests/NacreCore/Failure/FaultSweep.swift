import Foundation
import NacreCore
import NacreEngine
import NacreSQLite
import NacreStore
import Testing
@testable import TestSupport

/// Runs a piece of work again and again, and lets another call of the engine fail each time, until
/// the work ends without a failure.
///
/// Each attempt that fails must throw a `NacreError`, and leave the file and the objects as they
/// were before it.
struct FaultSweep<Objects> {
  /// Stores what the work needs, and returns the objects that it changes.
  let seed: (Store) throws -> Objects
  let work: (Store, Objects) throws -> Void
  /// Describes the objects: their values, and whether they are stored and have changes.
  let memory: (Objects) -> [String]

  /// Runs the sweep.
  ///
  /// - Parameters:
  ///   - kind: How the calls fail.
  ///   - abortsTransactions: Whether a failure aborts the transaction, as on PostgreSQL.
  ///   - isCold: Whether each attempt finds no statement prepared.
  ///   - sourceLocation: The place in a test that a failure is reported at.
  /// - Returns: The calls that failed, one of each attempt.
  /// - Throws: The error of the seed, or of the work when no call fails.
  @discardableResult
  func run(
    _ kind: EngineErrorKind,
    abortsTransactions: Bool,
    isCold: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [EngineCall] {
    let scene = try FaultyScene(abortsTransactions: abortsTransactions)
    let objects = try seed(scene.store)
    let before = (file: try scene.rows(), memory: memory(objects))
    var failed: [EngineCall] = []
    while true {
      if isCold { try scene.forgetStatements() }
      scene.faults.arm(.failure(kind), after: failed.count)
      let result = Result { try work(scene.store, objects) }
      guard let call = scene.faults.disarm() else {
        try result.get()
        break
      }
      failed.append(call)
      let attempt = Comment("attempt \(failed.count), at \(call)")
      switch result {
      case .success where failed.dropLast().contains(.commit):
        // What comes after the commit must not fail the save.
        return failed
      case .success:
        Issue.record("the failure went unnoticed: \(attempt)", sourceLocation: sourceLocation)
      case .failure(let error):
        #expect(error is NacreError, attempt, sourceLocation: sourceLocation)
      }
      #expect(memory(objects) == before.memory, attempt, sourceLocation: sourceLocation)
      let after = try scene.rows()
      #expect(after == before.file, attempt, sourceLocation: sourceLocation)
      guard after == before.file, failed.count < 5000 else { break }
    }
    return failed
  }
}

/// A store on the tests' engine, in a directory of its own.
struct FaultyScene {
  let faults: EngineFaults
  let test: TestStore

  var store: Store { test.store }

  init(
    abortsTransactions: Bool = false,
    _ change: (inout StoreOptions) -> Void = { _ in }
  ) throws {
    faults = EngineFaults(abortsTransactions: abortsTransactions)
    test = try TestStore(faults: faults, change)
  }

  /// Lets the store prepare its statements anew, by changing the number of the file's layout.
  func forgetStatements() throws {
    try withFile { connection in
      try connection.execute("CREATE TABLE \"other\" (\"a\"); DROP TABLE \"other\"")
    }
  }

  /// Returns every row of every table, read behind the store's back.
  func rows() throws -> [String] {
    try withFile { connection in
      var rows: [String] = []
      let tables = try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
      for table in tables.sorted() {
        try connection.each("SELECT * FROM \"\(table)\"", []) { statement in
          let cells = (0..<Int32(statement.columnCount)).map { "\(statement.value(at: $0))" }
          rows.append(table + ": " + cells.joined(separator: ", "))
        }
      }
      return rows
    }
  }

  private func withFile<T>(_ body: (Connection) throws -> T) throws -> T {
    var configuration = ConnectionConfiguration()
    configuration.setsJournalMode = false
    let connection = try Connection(
      path: store.path,
      mode: .readWrite,
      configuration: configuration
    )
    defer { try? connection.close() }
    return try body(connection)
  }
}
