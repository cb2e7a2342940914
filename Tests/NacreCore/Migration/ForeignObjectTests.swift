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
    let schema = try definitions()
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
    #expect(try definitions() == schema)
    #expect(try scene.edit("SELECT count(*) FROM nacre_key") == keys)
    #expect(try scene.edit("SELECT * FROM nacre_rotation WHERE finished IS NULL").isEmpty)
  }

  private func definitions() throws -> [String] {
    try scene.reading { try $0.definitions(containing: "", isTemporary: false) }.map { "\($0)" }
  }

  @Test(
    .sqliteOnly(
      "a conversion on a server does not look for the application's indexes, views and triggers"
    ),
    arguments: [
      ("index", "CREATE INDEX \"my own\" ON \"Paper\" (number, label)"),
      ("index", "CREATE INDEX \"my own\" ON \"Paper\" (label) WHERE number > 3"),
      ("view", "CREATE VIEW \"my own\" AS SELECT label, number FROM \"Paper\""),
      (
        "trigger",
        TestPlace.sql(
          """
          CREATE TRIGGER "my own" AFTER UPDATE ON "Paper" WHEN NEW.number > 3 \
          BEGIN DELETE FROM "Car"; END
          """,
          onServer: """
            CREATE FUNCTION "clear"() RETURNS trigger LANGUAGE plpgsql AS \
            $$ BEGIN DELETE FROM "Car"; RETURN NULL; END $$; \
            CREATE TRIGGER "my own" AFTER UPDATE ON "Paper" FOR EACH ROW WHEN (NEW.number > 3) \
            EXECUTE FUNCTION "clear"()
            """
        )
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
    try store.write { try $0.execute(sql) }
    try expectRefused("\(kind) my own does not let") { progress in
      try store.convert("number", of: "Paper", to: .init(suite: .aes256GCM), progress: progress)
    }
    #expect(try Paper<PlainPaper>.values(in: store) == before)
    try scene.edit(
      "DROP \(kind) \"my own\"" + (TestPlace.isOnServer && kind == "trigger" ? " ON \"Paper\"" : "")
    )
    try store.migrate(Paper<SealedPaper>.self)
    try scene.edit("CREATE VIEW \"my own\" AS SELECT number FROM \"Paper\"")
    try expectRefused("view my own does not let") { progress in
      try store.migrate(Paper<PlainPaper>.self, progress: progress)
    }
    #expect(try Paper<SealedPaper>.values(in: store) == before)
  }

  @Test func `a conversion keeps the application's index and view on other columns`() throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(20, in: store)
    try scene.edit("CREATE INDEX mine ON \"Paper\" (label)")
    try scene.edit("CREATE VIEW ours AS SELECT label FROM \"Paper\"")
    #expect(try store.migrate(Paper<UniquePaper>.self).count == 1)
    #expect(try scene.reading { try $0.indexes(of: "Paper") }.map(\.name).contains("mine"))
    #expect(try scene.edit("SELECT count(*) FROM ours WHERE label = '7'") == [[.integer(1)]])
  }
}
