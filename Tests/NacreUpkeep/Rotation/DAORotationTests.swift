import Foundation
@testable import NacreCore
import NacreCrypto
@testable import NacreUpkeep
import NacreOpen
import Synchronization
import Testing
@testable import TestSupport

/// Rotations that go through a DAO's tables by their rowids.
@Suite struct DAORotationTests {
  private func expectRotated(_ scene: DAOScene, _ store: Store, from old: KeyID) throws {
    #expect(try store.state(of: old) == .disabled)
    #expect(try scene.namedKeys(store) == [store.key(.primary)])
    let head = Data([1]) + withUnsafeBytes(of: old.rawValue.bigEndian) { Data($0) }
    for (name, bytes) in try scene.scene.fileBytes() where !name.hasSuffix("-shm") {
      #expect(bytes.range(of: head) == nil, "\(name)")
    }
    #expect(try store.verify().isSound)
  }

  @Test func `a rotation reseals all values under a new key and disables the old one`() throws {
    let scene = try DAOScene()
    let store = try scene.open()
    let old = try store.key(.primary)
    let vault = Vault.create()
    vault.secret = Marker.text
    try scene.scene.save(vault, in: store)
    let plan = try store.rotationPlan(.small)
    #expect(plan.resealed == scene.valueCount + 5)
    let report = try store.rotate(.small)
    #expect(report.outcome == .finished)
    #expect(report.resealed == scene.valueCount + 5)
    #expect(report.failed == 0)
    #expect(report.scans == 1)
    #expect(report.disabled == [old])
    try scene.expectWhole(store)
    try expectRotated(scene, store, from: old)
    #expect(try store.read { _ in try Vault.fetchAll().map(\.secret) } == [Marker.text])
  }

  @Test func `a rotation that is stopped at every batch resumes behind it`() throws {
    let scene = try DAOScene()
    let store = try scene.open()
    let old = try store.key(.primary)
    var cursors: [Int64] = []
    var resealed = 0
    var calls = 0
    while true {
      calls += 1
      let report = try store.rotate(.small) { progress in
        progress.phase == .sealing && progress.resealed > 0 ? .stop : .goOn
      }
      resealed += report.resealed
      try scene.expectWhole(store)
      if report.outcome == .finished { break }
      #expect(report.outcome == .stopped)
      let cursor = try scene.scene.edit("SELECT cursor FROM nacre_rotation WHERE finished IS NULL")
      if case .blob(let bytes)? = cursor.first?.first {
        let rowID = try #require(bytes.withUnsafeBytes { RowKey.rowID($0) })
        #expect(scene.rowIDs.contains(rowID))
        cursors.append(rowID)
      }
      try #require(calls < 50)
    }
    #expect(calls > 5)
    #expect(cursors == cursors.sorted())
    #expect(Set(cursors).count >= 5)
    #expect(cursors.contains { $0 < 0 } && cursors.contains { $0 > 0 })
    #expect(resealed == scene.valueCount)
    try expectRotated(scene, store, from: old)
  }

  @Test(arguments: RotationPhase.allCases)
  func `a rotation that is killed in any phase is finished by the next`(
    _ phase: RotationPhase
  ) async throws {
    let scene = try DAOScene()
    let old = try scene.open().key(.primary)
    let (path, name) = (scene.scene.path, phase.rawValue)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, name = name as String] in
      let store = try Store.open(path, unlock: Scene.unlock)
      _ = try store.rotate(.small) { progress in
        let hasBegun = progress.done > 8 || progress.phase != .sealing
        if progress.phase.rawValue == name && hasBegun { kill(getpid(), SIGKILL) }
        return .goOn
      }
    }
    try expectFinished(scene, from: old, wasDone: phase == .done)
  }

  private func expectFinished(_ scene: DAOScene, from old: KeyID, wasDone: Bool) throws {
    let store = try scene.open()
    try scene.expectWhole(store)
    let report = try store.rotate(RotationOptions { $0.onlyResumes = true })
    #expect(report.outcome == (wasDone ? .nothingToDo : .finished))
    try scene.expectWhole(store)
    try expectRotated(scene, store, from: old)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7])
  func `a rotation that is killed right before a commit is finished by the next`(
    _ commit: Int
  ) async throws {
    let scene = try DAOScene()
    let old = try scene.open().key(.primary)
    let path = scene.scene.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, commit = commit as Int] in
      let commits = Mutex((isCounting: false, hasWritten: false, count: 0))
      var options = StoreOptions()
      options.trace = { event in
        guard case .statement(let sql) = event else { return }
        commits.withLock { state in
          guard state.isCounting else { return }
          if sql.hasPrefix("UPDATE") || sql.hasPrefix("INSERT") { state.hasWritten = true }
          guard sql.hasPrefix("COMMIT"), state.hasWritten else { return }
          state.hasWritten = false
          state.count += 1
          if state.count == commit { kill(getpid(), SIGKILL) }
        }
      }
      let store = try Store.open(path, unlock: Scene.unlock, options: options)
      commits.withLock { $0.isCounting = true }
      _ = try store.rotate(.small)
    }
    // Before the first commit nothing was begun, so that the next call begins.
    if commit == 1 { return try scene.expectWhole(scene.open()) }
    try expectFinished(scene, from: old, wasDone: false)
  }

  @Test
  func `rows that are added or changed during a rotation are kept, on both sides of the cursor`()
    throws
  {
    let scene = try DAOScene()
    let store = try scene.open()
    let other = try scene.open()
    let old = try store.key(.primary)
    var added: [Int64] = []
    let report = try store.rotate(
      .small,
      watching: { progress in
        guard progress.phase == .sealing || progress.phase == .scanning, added.count < 20 else {
          return .goOn
        }
        let next = Int64(added.count) * 1000 * (added.count.isMultiple(of: 2) ? -1 : 1) - 500
        try other.write { database in
          try DAOScene.insert(next, on: database)
          let body = try database.sealDAO(DAOScene.body(4), type: "Note", property: "body")
          try database.connection.run("UPDATE notes SET body = ?1 WHERE id = 4", [body])
        }
        added.append(next)
        return .goOn
      }
    )
    #expect(report.outcome == .finished)
    #expect(added.count > 5)
    try scene.expectWhole(store, with: added)
    try expectRotated(scene, store, from: old)
  }

  @Test func `a row that is changed between its reading and its writing keeps the newer value`()
    throws
  {
    let scene = try DAOScene(count: 6)
    let other = try scene.open()
    let old = try other.key(.primary)
    let state = Mutex((hasRead: false, changes: 0))
    let store = try scene.open { options in
      options.trace = { event in
        guard case .statement(let sql) = event else { return }
        if sql.hasPrefix("SELECT"), sql.contains("ORDER BY r.\"_rowid_\" LIMIT ?") {
          state.withLock { $0.hasRead = true }
        }
        guard sql.hasPrefix("BEGIN IMMEDIATE") else { return }
        let isNext = state.withLock { state in
          guard state.hasRead, state.changes == 0 else { return false }
          state.changes = 1
          return true
        }
        guard isNext else { return }
        try? other.write { database in
          let body = try database.sealDAO(.text("newer"), type: "Note", property: "body")
          try database.connection.run("UPDATE notes SET body = ?1 WHERE id = -8", [body])
        }
      }
    }
    let report = try store.rotate(.field)
    #expect(report.outcome == .finished)
    #expect(state.withLock { $0.changes } == 1)
    let body = try store.read { database in
      let stored = try database.query("SELECT body FROM notes WHERE id = -8")[0][0]
      return try database.openDAO(stored, type: "Note", property: "body")
    }
    #expect(body == .text("newer"))
    try expectRotated(scene, store, from: old)
  }

  @Test func `rowids that a VACUUM has changed under its cursor leave nothing behind`() throws {
    let scene = try Scene()
    let store = try scene.open()
    try store.write { database in
      try database.execute("CREATE TABLE notes (body)")
      try database.noteDAO(table: "notes", column: "body", type: "Note", property: "body")
      for index in 0..<30 {
        let body = try database.sealDAO(.integer(Int64(index)), type: "Note", property: "body")
        try database.connection.run("INSERT INTO notes (body) VALUES (?1)", [body])
      }
      try database.execute("DELETE FROM notes WHERE rowid % 3 = 0")
    }
    let old = try store.key(.primary)
    _ = try store.rotate(.small) { $0.done >= 8 && $0.phase == .sealing ? .stop : .goOn }
    let before = try scene.edit("SELECT max(rowid) FROM notes")
    try scene.edit("VACUUM")
    #expect(try scene.edit("SELECT max(rowid) FROM notes") != before)
    let report = try store.rotate(.small)
    #expect(report.outcome == .finished)
    #expect(report.wasResumed)
    #expect(try store.state(of: old) == .disabled)
    #expect(try Set(store.sealedCounts().map(\.keyID)) == [store.key(.primary)])
    let verified = try store.verify()
    #expect(verified.isSound)
    #expect(verified.openedCount == 20)
  }

  @Test func `a table that is noted during a rotation is rotated, too`() throws {
    let scene = try DAOScene()
    let store = try scene.open()
    let other = try scene.open()
    let old = try store.key(.primary)
    // Under the old key, before it is replaced.
    let stored = try other.write { try $0.sealDAO(.integer(7), type: "Note", property: "body") }
    var isMade = false
    let report = try store.rotate(
      .small,
      watching: { progress in
        guard progress.phase == .sealing, progress.done > 4, !isMade else { return .goOn }
        isMade = true
        try other.write { database in
          try database.execute("CREATE TABLE aaa (body)")
          try database.noteDAO(table: "aaa", column: "body", type: "Note", property: "body")
          try database.connection.run("INSERT INTO aaa VALUES (?1)", [stored])
        }
        return .goOn
      }
    )
    #expect(isMade)
    #expect(report.outcome == .finished)
    try expectRotated(scene, store, from: old)
  }

  @Test func `a value that does not open is left and named by its rowid, and its key stays`() throws
  {
    let scene = try DAOScene()
    let store = try scene.open()
    let old = try store.key(.primary)
    try scene.scene.edit("UPDATE notes SET body = ?1 WHERE id = -8", .text("plain"))
    try scene.scene.edit(
      "UPDATE notes SET body = (SELECT extra FROM notes WHERE id = 2) WHERE id = 2"
    )
    let report = try store.rotate(.small)
    #expect(report.outcome == .incomplete)
    #expect(report.failed == 2)
    #expect(report.badCells.map(\.rowID) == [-8, 2])
    #expect(report.badCells.map(\.objectID) == [nil, nil])
    #expect(report.badCells.map(\.entity) == [DAOScene.entity, DAOScene.entity])
    #expect(report.badCells.map(\.code) == [.notAnEnvelope, .tampered])
    #expect(report.resealed == scene.valueCount - 2)
    #expect(try store.state(of: old) == .enabled)
    expectError(.keyInUse) { try store.destroyKey(old) }
  }

  @Test func `a journal whose cursor was moved is refused`() throws {
    let scene = try DAOScene()
    let store = try scene.open()
    _ = try store.rotate(.small) { $0.done >= 8 && $0.phase == .sealing ? .stop : .goOn }
    let bytes = withUnsafeBytes(of: RowKey.bytes(Int64.max)) { Data($0) }
    try scene.scene.edit("UPDATE nacre_rotation SET cursor = ?1", .blob(bytes))
    expectError(.ringTampered) { _ = try store.rotate(.small) }
  }

  @Test func `a rotation to another suite reseals every value`() throws {
    let scene = try DAOScene { $0.suite = .aes256GCM }
    let store = try scene.open()
    #expect(Set(try store.sealedCounts().map(\.suite)) == [.aes256GCM])
    let report = try store.rotate(RotationOptions { $0.suite = .xaes256GCM })
    #expect(report.outcome == .finished)
    #expect(Set(try store.sealedCounts().map(\.suite)) == [.xaes256GCM])
    try scene.expectWhole(store)
  }

  @Test func `bytes of rowids are in rowids' order`() {
    let rowIDs: [Int64] = [.min, .min + 1, -256, -255, -1, 0, 1, 255, 256, .max - 1, .max]
    let bytes = rowIDs.map { rowID in withUnsafeBytes(of: RowKey.bytes(rowID)) { Array($0) } }
    for (smaller, larger) in zip(bytes, bytes.dropFirst()) {
      #expect(smaller.lexicographicallyPrecedes(larger))
    }
    #expect(bytes.map { $0.withUnsafeBytes { RowKey.rowID($0) } } == rowIDs)
    #expect(Data(count: 7).withUnsafeBytes { RowKey.rowID($0) } == nil)
    #expect(Data(count: 16).withUnsafeBytes { RowKey.rowID($0) } == nil)
  }
}
