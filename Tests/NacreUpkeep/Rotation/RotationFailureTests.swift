import Foundation
import NacreCore
import NacreCrypto
import NacreOpen
import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// Values that don't open, rows that others change, and a second rotation.
@Suite struct RotationFailureTests {
  @Test func `a tampered value is left and reported and its key stays enabled`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    let old = try store.key(.primary)
    // The last byte is the tag's; it may be 0 already.
    try scene.scene.edit(
      """
      UPDATE Vault SET secret = substr(secret, 1, length(secret) - 1)
        || CASE substr(secret, -1) WHEN x'00' THEN x'01' ELSE x'00' END WHERE label = '8'
      """
    )
    try scene.scene.edit(
      "UPDATE Vault SET secret = CAST(secret AS BLOB) WHERE typeof(secret) <> 'blob'"
    )
    let broken = try scene.scene.edit("SELECT objectID, secret FROM Vault WHERE label = '8'")
    let report = try store.rotate(.small)
    #expect(report.outcome == .incomplete)
    #expect(report.obstacle == .failedValues)
    #expect(report.failed == 1)
    #expect(report.resealed == scene.valueCount - 1)
    #expect(report.disabled == [])
    let cell = try #require(report.badCells.first)
    #expect(report.badCells.count == 1)
    #expect(cell.entity == "Vault")
    #expect(cell.property == "secret")
    #expect(cell.code == .tampered)
    guard case .blob(let identity)? = broken.first?.first else { return #expect(Bool(false)) }
    #expect(cell.objectID.map { withUnsafeBytes(of: $0.uuid) { Data($0) } } == identity)
    Marker.expectAbsent("\(report)")
    #expect(try scene.scene.edit("SELECT objectID, secret FROM Vault WHERE label = '8'") == broken)
    #expect(try store.state(of: old) == .enabled)
    #expect(try scene.namedKeys(store) == [old, store.key(.primary)])
    let state = try #require(try store.rotationState())
    #expect(state.finished != nil)
    #expect(state.failed == 1)
    // Nothing is unfinished, so that a scheduler does not try for ever.
    #expect(try store.rotate(RotationOptions { $0.onlyResumes = true }).outcome == .nothingToDo)
    // The file was not written anew for its sake.
    #expect(report.remnants == 0)
  }

  @Test func `every kind of bad cell has its own code`() throws {
    let scene = try RotationScene(count: 10)
    let store = try scene.open()
    let disabled = try store.key(.primary)
    try store.promoteKey(store.addKey(.field))
    try store.disableKeyInUse(disabled)
    try scene.scene.edit("UPDATE Vault SET secret = 'plain' WHERE label = '1'")
    try scene.scene.edit("UPDATE Vault SET secret = 12 WHERE label = '2'")
    try scene.scene.edit("UPDATE Vault SET secret = 1.5 WHERE label = '3'")
    try scene.scene.edit("UPDATE Vault SET secret = x'' WHERE label = '4'")
    try scene.scene.edit(
      "UPDATE Vault SET secret = x'01FFFFFFFF' || substr(secret, 6) WHERE label = '5'"
    )
    try scene.scene.edit(
      "UPDATE Vault SET secret = CAST(secret AS BLOB) WHERE label = '5'"
    )
    // A text that is no UTF-8 has to be found again when the row's other values are written.
    try scene.scene.edit("UPDATE Vault SET secret = CAST(x'FF00FE' AS TEXT) WHERE label = '6'")
    let secrets = "SELECT typeof(secret), hex(secret) FROM Vault ORDER BY objectID"
    try scene.scene.edit("UPDATE Vault SET other = NULL, number = NULL, real = NULL, data = NULL")
    let vault = RotationScene.vault(6)
    try scene.scene.save(vault, in: store)
    try scene.scene.edit("UPDATE Vault SET secret = CAST(x'FF00FE' AS TEXT) WHERE label = '6'")
    let before = try scene.scene.edit(secrets)
    let report = try store.rotate(RotationOptions { $0.purposes = [.field] })
    #expect(report.outcome == .incomplete)
    let codes = report.badCells.filter { $0.property == "secret" }.map(\.code)
    #expect(codes.count == 11)
    #expect(codes.filter { $0 == .notAnEnvelope }.count == 6)
    #expect(codes.filter { $0 == .unknownKey }.count == 1)
    #expect(codes.filter { $0 == .disabledKey }.count == 4)
    #expect(try scene.scene.edit(secrets) == before)
    // Of the new vault all but the text was sealed anew.
    #expect(report.resealed == 4)
  }

  @Test func `only the first hundred bad cells are named`() throws {
    let scene = try RotationScene(count: 30)
    let store = try scene.open()
    try scene.scene.edit("UPDATE Vault SET secret = 1, other = 2, number = 3, real = 4")
    let report = try store.rotate(.small)
    #expect(report.failed == 120)
    #expect(report.badCells.count == 100)
    #expect(Set(report.badCells).count == 100)
  }

  @Test func `a row that is changed between its reading and its writing keeps the newer value`()
    throws
  {
    let scene = try RotationScene(count: 6)
    let other = try scene.open()
    // Nothing lies between a batch's reading and its writing but this; the trace comes before the lock is taken.
    let hasRead = Mutex(false)
    let changes = Mutex(0)
    let store = try scene.open { options in
      options.trace = { event in
        guard case .statement(let sql) = event else { return }
        if sql.hasPrefix("SELECT"), sql.contains("ORDER BY r.\"objectID\" LIMIT ?") {
          hasRead.withLock { $0 = true }
        }
        guard sql.hasPrefix("BEGIN IMMEDIATE"), hasRead.withLock({ $0 }) else { return }
        hasRead.withLock { $0 = false }
        let version = changes.withLock { changes in
          changes += 1
          return changes
        }
        // Both batches of the first pass, and one of the second.
        if version > 3 { return }
        try? other.write { (_) throws in
          for vault in try Vault.fetchAll() where vault.label == "2" || vault.label == "5" {
            vault.secret = "version \(version)"
            try vault.save()
          }
        }
      }
    }
    let old = try store.key(.primary)
    let report = try store.rotate(.small)
    #expect(changes.withLock { $0 } > 3)
    #expect(report.outcome == .finished)
    #expect(report.scans > 1)
    #expect(try scene.namedKeys(store).contains(old) == false)
    try store.read { (_) throws in
      for vault in try Vault.fetchAll() {
        let isChanged = vault.label == "2" || vault.label == "5"
        #expect(vault.secret == (isChanged ? "version 3" : scene.secrets[vault.label]))
        #expect(vault.number == Int(vault.label))
      }
    }
  }

  @Test func `a second rotation at once is told who holds it`() throws {
    let scene = try RotationScene()
    let store = try scene.open()
    let other = try scene.open()
    var refusals = 0
    _ = try store.rotate(
      .small,
      watching: { _ in
        for rival in [store, other] {
          let error = thrown(.rotationHeld) { _ = try rival.rotate() }
          #expect(
            error?.detail?.contains("process \(ProcessInfo.processInfo.processIdentifier) ") == true
          )
          #expect(error?.detail?.contains(" since ") == true)
          refusals += 1
        }
        return .goOn
      }
    )
    #expect(refusals > 4)
    #expect(try other.rotate().outcome == .finished)
    #expect(try scene.scene.fileBytes().keys.contains("store.db-rotation") == false)
  }

  @Test func `a link to the store leads to the same lock`() throws {
    let scene = try RotationScene(count: 3)
    let store = try scene.open()
    let link = scene.scene.directory.file("link.db")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scene.scene.path)
    let other = try Store.open(link, unlock: Scene.unlock)
    _ = try store.rotate(
      .small,
      watching: { _ in
        expectError(.rotationHeld) { _ = try other.rotate() }
        return .goOn
      }
    )
  }

  @Test func `the lock's file follows no link and is closed to other users`() throws {
    let scene = try RotationScene(count: 1)
    let store = try scene.open()
    let lock = scene.scene.path + "-rotation"
    let victim = scene.scene.directory.file("victim")
    try Data("untouched".utf8).write(to: URL(fileURLWithPath: victim))
    try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: victim)
    expectError(.readOnly) { _ = try store.rotate() }
    #expect(try scene.scene.directory.bytes("victim") == Data("untouched".utf8))
    try FileManager.default.removeItem(atPath: lock)
    var mode: Any?
    _ = try store.rotate(
      .small,
      watching: { _ in
        mode = try FileManager.default.attributesOfItem(atPath: lock)[.posixPermissions]
        return .goOn
      }
    )
    #expect(mode as? Int == 0o600)
  }

  @Test func `deleting a store deletes the lock's file that a killed process has left`() throws {
    let scene = try RotationScene(count: 1)
    let lock = scene.scene.path + "-rotation"
    try Data().write(to: URL(fileURLWithPath: lock))
    try Store.delete(at: scene.scene.path)
    #expect(!FileManager.default.fileExists(atPath: lock))
  }

  @Test func `rows put back under an old key are found by the second pass`() throws {
    let scene = try RotationScene(count: 6)
    let store = try scene.open()
    let old = try scene.scene.edit("SELECT objectID, secret FROM Vault WHERE label = '2'")
    let row = try #require(old.first)
    var isRestored = false
    let report = try store.rotate(
      .small,
      watching: { progress in
        if progress.phase == .scanning, !isRestored {
          isRestored = true
          try scene.scene.edit("UPDATE Vault SET secret = ?2 WHERE objectID = ?1", row[0], row[1])
        }
        return .goOn
      }
    )
    #expect(isRestored)
    #expect(report.outcome == .finished)
    #expect(report.scans == 2)
    #expect(report.resealed == scene.valueCount + 1)
    try scene.expectWhole(store)
  }

  @Test func `rows that are put back again and again end the rotation unfinished`() throws {
    let scene = try RotationScene(count: 6)
    let store = try scene.open()
    let old = try scene.scene.edit("SELECT objectID, secret FROM Vault WHERE label = '2'")
    let row = try #require(old.first)
    let report = try store.rotate(
      .small,
      watching: { progress in
        if progress.phase == .scanning, progress.done > 0 {
          try scene.scene.edit("UPDATE Vault SET secret = ?2 WHERE objectID = ?1", row[0], row[1])
        }
        return .goOn
      }
    )
    #expect(report.outcome == .incomplete)
    #expect(report.obstacle == .rowsKeepChanging)
    #expect(try store.rotationState()?.finished == nil)
    #expect(try store.rotate().outcome == .finished)
  }

  @Test func `a property of another's provider is left alone`() throws {
    let scene = try Scene()
    let store = try scene.open()
    try store.install(
      HookProvider(seal: { bytes, _ in bytes.reversed() }, open: { bytes, _ in bytes.reversed() }),
      for: \Safe.secret
    )
    let safe = Safe.create()
    safe.secret = "hooked"
    try scene.save(safe, in: store)
    #expect(try store.rotate().resealed == 0)
    let vault = RotationScene.vault(1)
    try scene.save(vault, in: store)
    let report = try store.rotate()
    #expect(report.outcome == .finished)
    #expect(report.failed == 0)
    #expect(try store.read { _ in try Safe.fetchOne()?.secret } == "hooked")
  }

  @Test func `a table that the catalog names and the file lacks is named`() throws {
    let scene = try RotationScene(count: 1)
    let store = try scene.open()
    try scene.scene.editCatalog(
      "UPDATE nacre_property SET \"column\" = 'gone' WHERE name = 'other'"
    )
    let generation = try store.generation()
    expectError(.schemaMismatch, entity: "Vault") { _ = try store.rotate() }
    #expect(try store.generation() == generation)
  }

  @Test func `a rotation finds a wrongly stored value before it commits`() throws {
    let scene = try RotationScene(count: 6)
    let store = try scene.open()
    // As a failing disk or a trigger of somebody else's can do.
    try scene.scene.edit(
      """
      CREATE TRIGGER spoiler AFTER UPDATE OF secret ON Vault WHEN new.label = '5' BEGIN
      UPDATE Vault SET secret = zeroblob(60) WHERE objectID = new.objectID; END
      """
    )
    let id = try scene.scene.edit("SELECT hex(objectID) FROM Vault WHERE label = '5'")
    let error = thrown(.corrupt, entity: "Vault", property: "secret") {
      _ = try store.rotate(.small)
    }
    let named = error?.objectID?.uuidString.filter { $0 != "-" } ?? ""
    #expect(id == [[.text(named)]])
    try scene.expectWhole(store)
    try scene.scene.edit("DROP TRIGGER spoiler")
    #expect(try store.rotate().outcome == .finished)
    try scene.expectWhole(store)
  }
}
