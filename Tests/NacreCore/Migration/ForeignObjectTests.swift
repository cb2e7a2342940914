import NacreCore
@testable import TestSupport
import Testing

/// Indexes, views and triggers that an application has made on a column that is to be converted.
@Suite struct ForeignObjectTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  /// Fails unless the conversion is refused before a row is touched, by that name.
  private func expectRefused(
    _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: ((MigrationProgress) -> Bool) throws -> Void
  ) throws {
    let schema = try scene.edit("SELECT sql FROM sqlite_schema ORDER BY name")
    let keys = try scene.edit("SELECT count(*) FROM nacre_key")
    var batches = 0
    let error = thrown(.schemaMismatch, entity: "Paper", sourceLocation: sourceLocation) {
      try body { _ in
        batches += 1
        return true
      }
    }
    #expect(batches == 0, sourceLocation: sourceLocation)
    #expect(error?.detail?.hasPrefix(words) == true, "\(error?.detail ?? "-")")
    #expect(error?.detail?.contains("drop it and make it again afterwards") == true)
    #expect(try scene.edit("SELECT sql FROM sqlite_schema ORDER BY name") == schema)
    #expect(try scene.edit("SELECT count(*) FROM nacre_key") == keys)
    #expect(try scene.edit("SELECT * FROM nacre_rotation WHERE finished IS NULL").isEmpty)
  }

  @Test(
    .sqliteOnly("its SQL is SQLite's own"),
    arguments: [
      ("index", "CREATE INDEX \"my own\" ON \"Paper\" (number, label)"),
      ("index", "CREATE INDEX \"my own\" ON \"Paper\" (label) WHERE number > 3"),
      ("view", "CREATE VIEW \"my own\" AS SELECT label, number FROM \"Paper\""),
      (
        "trigger",
        """
        CREATE TRIGGER "my own" AFTER UPDATE ON "Paper" WHEN NEW.number > 3 \
        BEGIN DELETE FROM "Car"; END
        """
      ),
    ]
  )
  func `a conversion names the application's index, view or trigger before it changes a row`(
    kind: String,
    sql: String
  ) throws {
    let store = try scene.open()
    try scene.save(Car.create(), in: store)
    try Paper<PlainPaper>.store(20, in: store)
    let before = try Paper<PlainPaper>.values(in: store)
    try scene.edit(sql)
    try expectRefused("\(kind) my own does not let") { progress in
      try store.convert("number", of: "Paper", to: .init(suite: .aes256GCM), progress: progress)
    }
    #expect(try Paper<PlainPaper>.values(in: store) == before)
    try scene.edit("DROP \(kind) \"my own\"")
    try store.migrate(Paper<SealedPaper>.self)
    try scene.edit("CREATE VIEW \"my own\" AS SELECT number FROM \"Paper\"")
    try expectRefused("view my own does not let") { progress in
      try store.migrate(Paper<PlainPaper>.self, progress: progress)
    }
    #expect(try Paper<SealedPaper>.values(in: store) == before)
  }

  @Test(.sqliteOnly("its SQL is SQLite's own"))
  func `a conversion keeps the application's index and view on other columns`() throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(20, in: store)
    try scene.edit("CREATE INDEX mine ON \"Paper\" (label)")
    try scene.edit("CREATE VIEW ours AS SELECT label FROM \"Paper\"")
    #expect(try store.migrate(Paper<UniquePaper>.self).count == 1)
    #expect(
      try scene.edit("SELECT count(*) FROM \"Paper\" INDEXED BY mine WHERE label = '7'").count == 1
    )
  }
}
