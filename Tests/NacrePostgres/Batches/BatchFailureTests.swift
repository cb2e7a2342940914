#if PostgreSQL
import Foundation
import NacreEngine
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Rows that a connection has gathered, and that the server refuses or swallows.
@Suite struct BatchFailureTests {
  private let scene: BatchScene

  init() throws { scene = try BatchScene() }

  // MARK: Failures

  @Test
  func `the row that the server refuses is blamed, and those of other tables before it are not`()
    throws
  {
    try scene.warmUp(
      (scene.insertNumber, [BatchScene.id(1), .integer(1)]),
      ("INSERT INTO \"P\" (\"objectID\") VALUES (?1)", [BatchScene.id(1)])
    )
    for twin in [20, 22, 24] {
      let found = scene.blamed {
        try scene.connection.transaction(.deferred) {
          for number in 20..<25 {
            try scene.send(
              "INSERT INTO \"P\" (\"objectID\") VALUES (?1)",
              [BatchScene.id(number)],
              scene.one(-number)
            )
            let value = number == twin ? 1 : number
            try scene.send(
              scene.insertNumber,
              [BatchScene.id(number), .integer(Int64(value))],
              scene.one(number)
            )
          }
        }
      }
      #expect(found == twin)
      #expect(!scene.connection.isInTransaction)
    }
    #expect(try scene.connection.values("SELECT count(*) FROM \"T\"") == [.integer(1)])
    #expect(try scene.connection.values("SELECT count(*) FROM \"P\"") == [.integer(1)])
  }

  @Test func `what was sent behind rows that succeed one by one is sent again`() throws {
    let (insertP, mark) = (
      "INSERT INTO \"P\" (\"objectID\") VALUES (?1)", "UPDATE \"T\" SET \"text\" = ?1"
    )
    try scene.warmUp(
      (scene.insertNumber, [BatchScene.id(1), .integer(1)]),
      (scene.updateNumber, [BatchScene.id(1), .integer(1)]),
      (insertP, [BatchScene.id(1)]),
      (mark, [.text("")])
    )
    try scene.connection.transaction(.deferred) {
      // One of them is missing, which is no failure here.
      for number in [1, 88] {
        try scene.send(scene.updateNumber, [BatchScene.id(number), .integer(7)])
      }
      try scene.send(scene.insertNumber, [BatchScene.id(2), .integer(2)])
      try scene.send(insertP, [BatchScene.id(2)])
      try scene.send(insertP, [BatchScene.id(3)])
      // Its values are not kept.
      try scene.send(mark, [.text("all")])
    }
    #expect(
      try scene.connection.values("SELECT \"number\" || \"text\" FROM \"T\" ORDER BY \"objectID\"")
        == [.text("7all"), .text("2all")]
    )
    #expect(try scene.connection.values("SELECT count(*) FROM \"P\"") == [.integer(3)])
  }

  @Test func `the first missing row is blamed, and nothing is committed`() throws {
    try scene.warmUp(
      (scene.insertNumber, [BatchScene.id(1), .integer(1)]),
      (scene.updateNumber, [BatchScene.id(1), .integer(1)])
    )
    let found = scene.blamed {
      try scene.connection.transaction(.deferred) {
        for number in [1, 88, 89] {
          try scene.send(
            scene.updateNumber,
            [BatchScene.id(number), .integer(Int64(number + 1))],
            scene.one(number)
          )
        }
      }
    }
    #expect(found == 88)
    #expect(try scene.connection.values("SELECT \"number\" FROM \"T\"") == [.integer(1)])
  }

  @Test func `an update that is sent by itself and finds no row is not committed`() throws {
    try scene.warmUp((scene.insertNumber, [BatchScene.id(1), .integer(1)]))
    let found = scene.blamed {
      try scene.connection.transaction(.deferred) {
        for number in 2...3 {
          try scene.send(scene.insertNumber, [BatchScene.id(number), .integer(Int64(number))])
        }
        let missing = PendingWrite.row(isNew: false) { _ in BatchScene.Failed(number: 88) }
        try scene.send(scene.updateNumber, [BatchScene.id(88), .integer(88)], missing)
      }
    }
    #expect(found == 88)
    #expect(try scene.connection.values("SELECT \"number\" FROM \"T\"") == [.integer(1)])
  }

  @Test func `rows are gathered again in another session`() throws {
    try scene.warmUp((scene.insertNumber, [BatchScene.id(1), .integer(1)]))
    let other = try TestServer.connect(to: scene.url)
    // Where a pool lends sessions, another one serves the next transaction anyway.
    let process = try scene.connection.processNumber
    _ = try other.values("SELECT pg_terminate_backend(\(process), 60000)")
    _ = try? scene.connection.values("SELECT 1")
    try scene.connection.transaction(.deferred) {
      for number in 2...9 {
        try scene.send(scene.insertNumber, [BatchScene.id(number), .integer(Int64(number))])
      }
    }
    try scene.connection.transaction(.deferred) {
      for number in 12...19 {
        try scene.send(scene.insertNumber, [BatchScene.id(number), .integer(Int64(number))])
      }
      #expect(scene.connection.session.group.rowCount == 8)
    }
    #expect(try scene.connection.values("SELECT count(*) FROM \"T\"") == [.integer(17)])
  }

  // MARK: Triggers and rules

  @Test(
    arguments: [
      """
      CREATE FUNCTION "swallow"() RETURNS trigger LANGUAGE plpgsql AS \
      $$ BEGIN RETURN CASE WHEN NEW."number" = 13 THEN NULL ELSE NEW END; END $$; \
      CREATE TRIGGER "swallow" BEFORE INSERT ON "T" FOR EACH ROW EXECUTE FUNCTION "swallow"()
      """,
      "CREATE RULE \"swallow\" AS ON INSERT TO \"T\" WHERE NEW.\"number\" = 13 DO INSTEAD NOTHING",
    ]
  )
  func `the row that a trigger or a rule swallows is blamed`(sql: String) throws {
    try scene.connection.execute(sql)
    try scene.warmUp((scene.insertNumber, [BatchScene.id(1), .integer(1)]))
    let found = scene.blamed {
      try scene.connection.transaction(.deferred) {
        for number in 10..<15 {
          try scene.send(
            scene.insertNumber,
            [BatchScene.id(number), .integer(Int64(number))],
            scene.one(number)
          )
        }
      }
    }
    #expect(found == 13)
    #expect(try scene.connection.values("SELECT count(*) FROM \"T\"") == [.integer(1)])
  }

  @Test func `a trigger for statements runs for every row`() throws {
    try scene.connection.execute(
      """
      CREATE TABLE "runs" ("i" int); CREATE FUNCTION "note"() RETURNS trigger LANGUAGE plpgsql AS \
      $$ BEGIN INSERT INTO "runs" VALUES (1); RETURN NULL; END $$; \
      CREATE TRIGGER "note" AFTER INSERT OR UPDATE ON "T" EXECUTE FUNCTION "note"()
      """
    )
    try scene.connection.transaction(.deferred) {
      for number in 0..<5 {
        try scene.send(scene.insertNumber, [BatchScene.id(number), .integer(Int64(number))])
      }
      for number in 0..<5 {
        try scene.send(scene.updateNumber, [BatchScene.id(number), .integer(Int64(number))])
      }
    }
    #expect(try scene.connection.values("SELECT count(*) FROM \"runs\"") == [.integer(10)])
  }
}
#endif
