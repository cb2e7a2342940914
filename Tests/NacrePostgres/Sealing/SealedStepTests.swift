#if PostgreSQL
import Foundation
import NacreCore
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// SQL of steps that would take a sealed column's ciphertext for its value, in the server's own language.
@Suite struct SealedStepTests {
  private let opened: EngineStore

  init() throws {
    opened = try TestEngine.postgres.makeStore()
    let car = Car.create()
    (car.name, car.vin) = ("R2", "VIN")
    try opened.store.save([car])
    try opened.store.write { database in
      try database.execute(
        """
        CREATE TABLE "log" ("seen" bytea);
        CREATE VIEW "below" AS SELECT "vin" AS "told" FROM "Car";
        CREATE VIEW "above" AS SELECT "told" AS "heard" FROM "below";
        CREATE MATERIALIZED VIEW "kept" AS SELECT "heard" FROM "above";
        CREATE FUNCTION "tell"() RETURNS bytea LANGUAGE sql AS 'SELECT "heard" FROM "above"';
        CREATE FUNCTION "retell"() RETURNS bytea LANGUAGE plpgsql AS $$ BEGIN RETURN "tell"(); END $$;
        CREATE FUNCTION "changed"() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN NEW."name" = encode(NEW."vin", 'hex'); RETURN NEW; END $$;
        CREATE TRIGGER "changed" BEFORE DELETE ON "Car" FOR EACH ROW EXECUTE FUNCTION "changed"();
        CREATE RULE "ruled" AS ON DELETE TO "log" DO ALSO UPDATE "Car" SET "name" = encode("vin", 'hex')
        """
      )
    }
    try opened.store.close()
  }

  /// Runs a step over the store.
  private func step(_ change: @escaping Migrator.Step.Change) throws {
    var options = StoreOptions.patient
    options.migrator = Migrator(.init("1"), .init("2", up: change))
    try opened.another(options).close()
  }

  private func names() throws -> [Value] {
    try TestServer.connect(to: opened.path).values("SELECT \"name\" FROM \"Car\"")
  }

  @Test(arguments: [
    "INSERT INTO \"log\" SELECT \"heard\" FROM \"above\"", "REFRESH MATERIALIZED VIEW \"kept\"",
    "SELECT \"retell\"()", "DELETE FROM \"log\"", "DELETE FROM \"Car\"",
    "CREATE TABLE \"all\" AS TABLE \"Car\"",
    "SELECT DISTINCT ON (\"name\") * FROM \"Car\"",
    "UPDATE \"Car\" SET \"name\" = encode(VIN, 'hex')",
    "ALTER TABLE \"Car\" ALTER COLUMN \"name\" TYPE text USING encode(\"vin\", 'hex')",
    """
    ALTER TABLE "Car" RENAME TO "Auto"; ALTER TABLE "Auto" RENAME COLUMN "vin" TO "x";
    UPDATE "Auto" SET "name" = encode("x", 'hex')
    """,
  ])
  func `a step that reads a sealed column is refused on a server`(sql: String) throws {
    expectError(.sealedCondition, property: "vin") {
      // A column that has another name is told by it.
      do { try step { try $0.execute(sql) } } catch var error as NacreError {
        if error.property == "x" { error.property = "vin" }
        throw error
      }
    }
    #expect(try names() == [.text("R2")])
  }

  @Test(arguments: [
    "DO $$ BEGIN UPDATE \"Car\" SET \"name\" = encode(\"vin\", 'hex'); END $$",
    "DO 'BEGIN END'", "SELECT query_to_xml('SELECT \"vin\" FROM \"Car\"', true, false, '')",
  ])
  func `SQL in a text is refused in a step by the name of what runs it`(sql: String) throws {
    let error = thrown(.sealedCondition) { try step { try $0.execute(sql) } }
    let runner = sql.hasPrefix("DO") ? "DO" : "query_to_xml"
    #expect(error?.detail?.contains("\(runner) runs SQL in a text") == true)
    #expect(try names() == [.text("R2")])
  }

  @Test func `a name behind U& is refused, which could name any column`() throws {
    expectError(.migrationFailed) {
      try step { try $0.execute("UPDATE \"Car\" SET \"name\" = encode(U&\"v\\0069n\", 'hex')") }
    }
    expect(.badStatement) { _ = try StatementText("SELECT u&\"a\" UESCAPE '!'") }
    #expect(try StatementText("SELECT U&'\\0061', u & \"a\"").firstWord == "select")
  }

  @Test(arguments: [
    "SELECT \"objectID\", \"vin\" AS \"x\" INTO \"made\" FROM \"Car\"",
    "CREATE TABLE \"made\" AS SELECT \"objectID\", \"vin\" AS \"x\" FROM \"Car\"",
  ])
  func `a table that a query makes of sealed cells is sealed in a step`(sql: String) throws {
    try step { database in
      try database.copyingSealedCells { try database.execute(sql) }
      expectError(.sealedCondition) {
        try database.execute(
          "UPDATE \"Car\" SET \"name\" = (SELECT encode(\"x\", 'hex') FROM \"made\")"
        )
      }
      try database.execute("DROP TABLE \"made\"")
    }
    #expect(try names() == [.text("R2")])
  }

  @Test func `a trigger that reads a sealed column keeps no condition from being asked`() throws {
    let store = try opened.another()
    #expect(try store.read { (_) throws in try Car.count(where: "name = ?", "R2") } == 1)
  }

  @Test func `a step changes and renames what is not sealed`() throws {
    try step { database in
      try database.execute(
        """
        UPDATE "Car" SET "name" = ("name") || 'x' || (2 * (SELECT count(*) FROM "Car")) * 2;
        ALTER TABLE "Car" RENAME COLUMN "vin" TO "x"; ALTER TABLE "Car" RENAME COLUMN "x" TO "vin";
        DROP MATERIALIZED VIEW "kept"
        """
      )
    }
    #expect(try names() == [.text("R2x4")])
  }
}
#endif
