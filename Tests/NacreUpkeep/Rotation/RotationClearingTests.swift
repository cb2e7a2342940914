import Foundation
import NacreCore
import NacreCrypto
import NacreSQLite
import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// Readers of old states, and what old keys have left in the file.
@Suite struct RotationClearingTests {
  /// Options that wait for nobody.
  private static let impatient = RotationOptions {
    $0.batchSize = 4
    $0.readerTimeout = 0
  }

  private func connection(_ scene: RotationScene, secureDelete: Bool = true) throws -> Connection {
    var configuration = ConnectionConfiguration()
    configuration.secureDelete = secureDelete
    return try Connection(
      path: scene.scene.path,
      mode: .readWrite,
      configuration: configuration
    )
  }

  @Test func `a reader of an old state holds the end up until it is done`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    let old = try store.key(.primary)
    let reader = try connection(scene)
    try reader.begin(.deferred)
    #expect(try reader.pragma("user_version") != nil)
    let statement = try reader.cached("SELECT count(*) FROM Vault")
    #expect(try statement.step())
    statement.reset()
    let held = try store.rotate(RotationClearingTests.impatient)
    #expect(held.outcome == .incomplete)
    #expect(held.obstacle == .reader)
    #expect(try store.state(of: old) == .enabled)
    #expect(try store.rotationState()?.phase == "clearing")
    // Nobody is kept from writing meanwhile.
    try scene.scene.save(RotationScene.vault(999), in: store)
    try reader.rollback()
    let report = try store.rotate(RotationOptions { $0.onlyResumes = true })
    #expect(report.outcome == .finished)
    #expect(report.wasResumed)
    #expect(report.resealed == 0)
    #expect(report.disabled.contains(old))
    #expect(try scene.heads(of: old) == 0)
    try reader.close()
  }

  @Test func `a rotation that waits for readers can be stopped`() throws {
    let scene = try RotationScene(count: 3)
    let store = try scene.open()
    let reader = try connection(scene)
    try reader.begin(.deferred)
    #expect(try reader.pragma("user_version") != nil)
    var waits = 0
    let report = try store.rotate(RotationOptions { $0.readerTimeout = 3600 }) { progress in
      if progress.phase == .clearing { waits += 1 }
      return waits > 2 ? .stop : .goOn
    }
    #expect(report.outcome == .stopped)
    try reader.rollback()
    #expect(try store.rotate().outcome == .finished)
  }

  /// Leaves envelopes of the old key in free pages, as one does who deletes without overwriting.
  private func leaveRemnants(_ scene: RotationScene) throws {
    let writer = try connection(scene, secureDelete: false)
    try writer.execute("CREATE TABLE spilled AS SELECT secret, other, data FROM Vault")
    try writer.execute("DROP TABLE spilled")
    try writer.close()
  }

  @Test func `remnants in free pages are found and the file is written anew`() throws {
    let scene = try RotationScene(count: 80)
    try leaveRemnants(scene)
    let store = try scene.open()
    let old = try store.key(.primary)
    let report = try store.rotate()
    #expect(report.outcome == .finished)
    #expect(report.wasVacuumed)
    #expect(report.remnants == 0)
    #expect(try scene.heads(of: old) == 0)
    #expect(try scene.scene.edit("PRAGMA integrity_check") == [[.text("ok")]])
    try scene.expectWhole(store)
    try scene.expectWhole(scene.open())
  }

  @Test func `a rotation that writes the file anew looks through the cells once`() throws {
    let scene = try RotationScene(count: 80)
    try leaveRemnants(scene)
    let looks = Mutex(0)
    let store = try scene.open { options in
      options.trace = { event in
        guard case .statement(let sql) = event, sql.contains("count(*) FILTER") else { return }
        if sql.contains("\"Vault\"") { looks.withLock { $0 += 1 } }
      }
    }
    #expect(try store.rotate().wasVacuumed)
    #expect(looks.withLock { $0 } == 1)
  }

  @Test func `remnants are only reported where the file may not be written anew`() throws {
    let scene = try RotationScene(count: 80)
    try leaveRemnants(scene)
    let store = try scene.open()
    let old = try store.key(.primary)
    let report = try store.rotate(RotationOptions { $0.vacuum = .never })
    #expect(report.outcome == .finished)
    #expect(!report.wasVacuumed)
    #expect(report.remnants >= 80)
    #expect(report.remnants == (try scene.heads(of: old)))
  }

  @Test func `the file is written anew when that is wanted in any case`() throws {
    let scene = try RotationScene(count: 2)
    let store = try scene.open()
    #expect(try store.rotate(RotationOptions { $0.vacuum = .always }).wasVacuumed)
    try scene.expectWhole(store)
  }

  @Test func `a value that does not open is no remnant`() throws {
    let scene = try RotationScene(count: 5)
    let store = try scene.open()
    let old = try store.key(.primary)
    try scene.scene.edit("UPDATE Vault SET secret = substr(secret, 1, length(secret) - 1)")
    let report = try store.rotate()
    #expect(report.failed == 5)
    #expect(report.remnants == 0)
    #expect(!report.wasVacuumed)
    #expect(try scene.heads(of: old) == 5)
  }

  @Test func `a rotation with a limited rate takes its time and can be stopped`() throws {
    let scene = try RotationScene(count: 30)
    let store = try scene.open()
    let options = RotationOptions { $0.rowsPerSecond = 100 }
    let report = try store.rotate(options)
    #expect(report.outcome == .finished)
    // Two passes of 30 rows each.
    #expect(report.duration >= 0.5)
    var last: RotationProgress?
    let stopped = try store.rotate(RotationOptions { $0.rowsPerSecond = 0.001 }) { progress in
      last = progress
      return progress.elapsed > 0.1 && progress.done > 0 ? .stop : .goOn
    }
    #expect(stopped.outcome == .stopped)
    #expect(last?.done == 1)
    #expect(try store.rotate().outcome == .finished)
  }

  @Test(arguments: [Double.nan, -.infinity, .infinity, 1e300, 0])
  func `impossible rates, times and batch sizes do not stop a rotation`(_ number: Double) throws {
    let scene = try RotationScene(count: 3)
    let store = try scene.open()
    let options = RotationOptions {
      $0.rowsPerSecond = number
      $0.readerTimeout = number
      $0.batchSize = -1
    }
    #expect(try store.rotate(options).outcome == .finished)
  }
}
