import Foundation
@testable import NacreCore
import NacreCrypto
import NacreOpen
import NacreSQLite
@testable import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// Sealed values of DAOs that lie where the catalog does not know them.
@Suite struct DAOStrayTests {
  private let scene: DAOScene
  private let store: Store
  private let old: KeyID

  init() throws {
    scene = try DAOScene()
    store = try scene.open()
    old = try store.key(.primary)
  }

  private func run(_ sql: String, _ arguments: Value...) throws {
    try store.write { try $0.connection.run(sql, arguments) }
  }

  private func execute(_ sql: String) throws { try store.write { try $0.execute(sql) } }

  /// The values of a column, opened.
  private func values(_ table: String, _ column: String, _ property: String) throws -> [Value] {
    try store.read { database in
      try database.query("SELECT \(column) FROM \(table) ORDER BY rowid").map {
        try database.openDAO($0[0], type: "Note", property: property)
      }
    }
  }

  private var bodies: [Value] { scene.rowIDs.map(DAOScene.body) }

  /// Fails unless nothing gives up a key, and all of it names the place.
  private func expectRefused(
    _ table: String,
    _ column: String,
    _ word: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    func refused(_ body: () throws -> Void) {
      let error = thrown(
        .unsuitableColumn,
        entity: table,
        property: column,
        sourceLocation: sourceLocation,
        body
      )
      let isNamed = error?.detail?.contains(word) == true
      #expect(isNamed, "\(error?.detail ?? "")", sourceLocation: sourceLocation)
      Marker.expectAbsent(error.map { "\($0)" } ?? "")
    }
    let keys = try store.inspect().ring?.keys.count
    refused { _ = try store.rotationPlan() }
    refused { _ = try store.rotate(.small) }
    #expect(try store.inspect().ring?.keys.count == keys, sourceLocation: sourceLocation)
    #expect(try store.rotationState() == nil, sourceLocation: sourceLocation)
    let report = try store.verify()
    #expect(report.faults.map(\.kind.rawValue) == ["strayValues"], sourceLocation: sourceLocation)
    #expect(report.faults.map(\.entity) == [table], sourceLocation: sourceLocation)
    #expect(report.faults.map(\.property) == [column], sourceLocation: sourceLocation)
    try store.promoteKey(store.addKey(.field))
    refused { try store.disableKey(old) }
    refused { try store.destroyKey(old) }
    try store.promoteKey(old)
  }

  // MARK: What is found

  @Test func `copies are counted by verification and planned for, and nothing is written`() throws {
    try execute("CREATE TABLE copy AS SELECT id, body, plain FROM notes")
    let report = try store.verify(VerificationOptions { $0.batchSize = 4 })
    #expect(report.isSound)
    #expect(report.openedCount == scene.valueCount + scene.rowIDs.count)
    let names = report.properties.map { "\($0.entity).\($0.property)" }
    #expect(names == ["dao:copy.body", "dao:notes.body", "dao:notes.extra"])
    let plan = try store.rotationPlan()
    #expect(plan.resealed == scene.valueCount + scene.rowIDs.count)
    let counted = plan.counts.first { $0.entity == "dao:copy" }
    #expect(counted?.count == scene.rowIDs.count && counted?.keyID == old)
    #expect(try store.inspect().entities.map(\.name) == [DAOScene.entity])
    let alone = try store.verify(VerificationOptions { $0.entities = [DAOScene.entity] })
    #expect(alone.openedCount == scene.valueCount)
  }

  @Test func `copies are rotated, and open when the key is destroyed`() throws {
    try execute(
      """
      CREATE TABLE copy (body UNIQUE, "a ""b"" c", num INTEGER AS (length(body)) STORED);
      INSERT INTO copy (body) SELECT body FROM notes ORDER BY id;
      ALTER TABLE notes ADD COLUMN more;
      UPDATE notes SET more = extra;
      UPDATE copy SET "a ""b"" c" = body;
      """
    )
    let report = try store.rotate(.small)
    #expect(report.outcome == .finished && report.failed == 0)
    #expect(report.resealed == scene.valueCount * 2 + scene.rowIDs.count)
    #expect(try store.state(of: old) == .disabled)
    try store.destroyKey(old)
    try scene.expectWhole(store)
    #expect(try values("copy", "body", "body") == bodies)
    #expect(try values("copy", "\"a \"\"b\"\" c\"", "body") == bodies)
    #expect(try values("notes", "more", "extra") == scene.rowIDs.map(DAOScene.extra))
    #expect(try scene.namedKeys(store) == [store.key(.primary)])
    #expect(try store.verify().isSound)
  }

  @Test func `copies keep a key from being destroyed, and are counted by name`() throws {
    try execute("CREATE TABLE copy AS SELECT body FROM notes")
    try execute("DROP TABLE notes")
    try store.promoteKey(store.addKey(.field))
    let error = thrown(.keyInUse) { try store.destroyKey(old) }
    #expect(error?.detail?.contains("copy.body \(scene.rowIDs.count)") == true)
    try store.disableKeyInUse(old)
    #expect(try store.inspect().entities.map(\.name) == ["dao:copy"])
    #expect(Set(try store.verify().badCells.map(\.fault)) == [.disabledKey])
    expectError(.keyInUse) { try store.destroyKey(old) }
  }

  @Test func `a table that is renamed by other letters alone is rotated`() throws {
    try execute("ALTER TABLE notes RENAME TO n; ALTER TABLE n RENAME TO Notes")
    try execute("ALTER TABLE Notes RENAME COLUMN body TO BODY")
    #expect(try store.verify().openedCount == scene.valueCount)
    #expect(try store.rotate(.small).outcome == .finished)
    try store.destroyKey(old)
    try scene.expectWhole(store)
    #expect(try store.inspect().entities.map(\.name) == ["dao:Notes"])
  }

  @Test func `copies of a table that was dropped by name are rotated`() throws {
    try execute("CREATE TABLE copy AS SELECT body FROM notes ORDER BY id")
    try store.write { database in
      try database.dropColumn("body", of: "notes")
      try database.dropTable("notes")
    }
    #expect(try store.inspect().entities.isEmpty)
    #expect(try store.rotate(.small).outcome == .finished)
    try store.destroyKey(old)
    #expect(try values("copy", "body", "body") == bodies)
  }

  // MARK: What stops

  @Test func `values of no known place stop a rotation until they are gone`() throws {
    let stored = try store.write {
      try $0.sealDAO(.text(Marker.text), type: "Other", property: "text")
    }
    try execute("CREATE TABLE others (a, b)")
    try run("INSERT INTO others VALUES (1, NULL), (x'00', ?1), ('t', ?1)", stored)
    try expectRefused("others", "b", "2 values")
    try run("DELETE FROM others")
    #expect(try store.rotate(.small).outcome == .finished)
    try scene.expectWhole(store)
  }

  @Test func `values of no known place are rotated once their place is noted`() throws {
    let stored = try store.write {
      try $0.sealDAO(.text(Marker.text), type: "Other", property: "text")
    }
    try execute("CREATE TABLE others (b)")
    try run("INSERT INTO others VALUES (?1)", stored)
    expectError(.unsuitableColumn) { _ = try store.rotate(.small) }
    try store.write {
      try $0.noteDAO(table: "others", column: "b", type: "Other", property: "text")
    }
    #expect(try store.rotate(.small).outcome == .finished)
    try store.destroyKey(old)
    #expect(try store.verify().isSound)
  }

  @Test func `values of two places in one column stop a rotation`() throws {
    try execute("CREATE TABLE both AS SELECT body b FROM notes UNION ALL SELECT extra FROM notes")
    try expectRefused("both", "b", "Note.body and Note.extra")
  }

  @Test func `sealed values beside plain ones in one column stop a rotation`() throws {
    try execute("CREATE TABLE both AS SELECT body b FROM notes UNION ALL SELECT plain FROM notes")
    try expectRefused("both", "b", "not sealed")
  }

  @Test func `one spoilt copy among good ones keeps its key from being given up`() throws {
    try execute("CREATE TABLE copy AS SELECT body b FROM notes")
    try execute(
      "UPDATE copy SET b = CAST(substr(b, 1, 40) || x'0000000000' AS BLOB) WHERE rowid = 5"
    )
    try expectRefused("copy", "b", "1 value")
  }

  @Test(arguments: [
    ("CREATE TABLE t (a INTEGER PRIMARY KEY, b) WITHOUT ROWID", "t", "b", "WITHOUT ROWID"),
    ("CREATE TABLE t (a, b, _RowID_)", "t", "b", "_rowid_"),
    ("CREATE VIRTUAL TABLE t USING fts5(a, b)", "t_content", "c1", "shadow"),
  ])
  func `copies in a table that a rotation can't reach stop the rotation`(
    _ sql: String,
    _ table: String,
    _ column: String,
    _ word: String
  ) throws {
    try execute(sql)
    try execute("INSERT INTO t (a, b) SELECT id, body FROM notes")
    try expectRefused(table, column, word)
  }

  @Test func `views and generated columns are no copies`() throws {
    try execute("CREATE VIEW v AS SELECT body FROM notes")
    try execute("ALTER TABLE notes ADD COLUMN g AS (body) VIRTUAL")
    #expect(try store.rotate(.small).outcome == .finished)
    #expect(try store.verify().openedCount == scene.valueCount)
  }

  // MARK: What is not looked at

  @Test func `stray values are found by verification where no DAO was ever known, and not rotated`()
    throws
  {
    let scene = try Scene()
    let store = try scene.open()
    try scene.save(Vault.create(), in: store)
    let stored = try store.write { try $0.sealDAO(.integer(1), type: "Other", property: "x") }
    try store.write { database in
      try database.execute("CREATE TABLE others (b)")
      try database.connection.run("INSERT INTO others VALUES (?1)", [stored])
    }
    #expect(try store.verify().faults.map(\.kind) == [.strayValues])
    #expect(try store.rotate(.small).outcome != .nothingToDo)
  }

  @Test func `a rotation of the indexes passes over stray values`() throws {
    let stored = try store.write { try $0.sealDAO(.integer(1), type: "Other", property: "x") }
    try execute("CREATE TABLE others (b)")
    try run("INSERT INTO others VALUES (?1)", stored)
    let report = try store.rotate(RotationOptions { $0.purposes = [.index] })
    #expect(report.outcome == .finished)
  }

  // MARK: Meanwhile

  @Test(arguments: RotationPhase.allCases.filter { $0 != .done }, [false, true])
  func `a copy that is made meanwhile is rotated before the key is given up`(
    _ phase: RotationPhase,
    _ isNoted: Bool
  ) throws {
    let other = try scene.open()
    // As a restore or raw SQL would bring it back.
    let stored = try other.write { try $0.sealDAO(.integer(7), type: "Note", property: "body") }
    var isMade = false
    let report = try store.rotate(
      .small,
      watching: { progress in
        guard progress.phase == phase, !isMade else { return .goOn }
        isMade = true
        try other.write { database in
          try database.execute("CREATE TABLE aaa (body)")
          if isNoted {
            try database.noteDAO(table: "aaa", column: "body", type: "Note", property: "body")
          }
          try database.connection.run("INSERT INTO aaa VALUES (?1)", [stored])
        }
        return .goOn
      }
    )
    #expect(isMade)
    #expect(report.outcome == .finished)
    #expect(try store.state(of: old) == .disabled)
    try store.destroyKey(old)
    #expect(try values("aaa", "body", "body") == [7])
    try scene.expectWhole(store)
  }

  @Test func `a stray value written during a rotation stops it before it disables the key`() throws
  {
    let other = try scene.open()
    let stored = try other.write { try $0.sealDAO(.integer(7), type: "Other", property: "x") }
    var isMade = false
    expectError(.unsuitableColumn, entity: "aaa", property: "b") {
      _ = try store.rotate(
        .small,
        watching: { progress in
          guard progress.phase == .clearing, !isMade else { return .goOn }
          isMade = true
          try other.write { database in
            try database.execute("CREATE TABLE aaa (b)")
            try database.connection.run("INSERT INTO aaa VALUES (?1)", [stored])
          }
          return .goOn
        }
      )
    }
    #expect(try store.state(of: old) == .enabled)
    try execute("DROP TABLE aaa")
    let report = try store.rotate(.small)
    #expect(report.outcome == .finished && report.wasResumed)
    #expect(report.disabled == [old])
  }

  @Test func `a column that is renamed while a rotation rests is found when it goes on`() throws {
    _ = try store.rotate(.small) { $0.done >= 8 && $0.phase == .sealing ? .stop : .goOn }
    try execute("ALTER TABLE notes RENAME COLUMN body TO text")
    try execute("ALTER TABLE notes RENAME TO letters")
    let report = try store.rotate(.small)
    #expect(report.outcome == .finished && report.wasResumed)
    try store.destroyKey(old)
    #expect(try values("letters", "text", "body") == bodies)
    #expect(try values("letters", "extra", "extra") == scene.rowIDs.map(DAOScene.extra))
    #expect(try store.inspect().entities.map(\.name) == ["dao:letters"])
    #expect(!store.sealedColumns.contains("notes", "body"))
    #expect(store.sealedColumns.contains("letters", "text"))
  }

  @Test(arguments: [1, 2, 3, 4, 5])
  func `a rotation that is killed right before a commit is finished by the next, with the copies`(
    _ commit: Int
  ) async throws {
    try leaveCopies()
    let path = scene.scene.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, commit = commit as Int] in
      let store = try Store.open(
        path,
        unlock: Scene.unlock,
        options: .killing(beforeCommit: commit)
      )
      _ = try store.rotate(.small)
    }
    try expectFinished()
  }

  /// Closes the store with nothing in it but copies.
  private func leaveCopies() throws {
    try execute("CREATE TABLE copy AS SELECT body FROM notes ORDER BY id")
    try execute("DROP TABLE notes")
    try store.close()
  }

  private func expectFinished() throws {
    let again = try scene.open()
    #expect(try again.rotate(.small).outcome == .finished)
    #expect(try again.state(of: old) == .disabled)
    try again.destroyKey(old)
    let opened = try again.read { database in
      try database.query("SELECT body FROM copy ORDER BY rowid").map {
        try database.openDAO($0[0], type: "Note", property: "body")
      }
    }
    #expect(opened == bodies)
  }
}

extension VerificationOptions {
  fileprivate init(_ change: (inout VerificationOptions) -> Void) {
    self.init()
    change(&self)
  }
}

extension StoreOptions {
  /// The options of a process that is killed when its so manieth transaction that has written is to be committed.
  fileprivate static func killing(beforeCommit commit: Int) -> StoreOptions {
    let commits = Mutex((hasWritten: false, count: 0))
    var options = StoreOptions()
    options.trace = { event in
      guard case .statement(let sql) = event else { return }
      commits.withLock { state in
        if sql.hasPrefix("UPDATE") || sql.hasPrefix("INSERT") || sql.hasPrefix("DELETE") {
          state.hasWritten = true
        }
        guard sql.hasPrefix("COMMIT"), state.hasWritten else { return }
        state.hasWritten = false
        state.count += 1
        if state.count == commit { kill(getpid(), SIGKILL) }
      }
    }
    return options
  }
}
