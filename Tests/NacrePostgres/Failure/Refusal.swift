#if PostgreSQL
import Foundation
import NacreEngine
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Statements that a server refuses with a code of the test's choice, as it refuses others because of somebody else.
///
/// All that they need is in a schema of their own. A trigger in the store's schema would let the store send its writes
/// one by one, and its COMMIT after their answers.
struct Refusal {
  /// The codes, and what they are for the caller.
  static let codes: [(state: String, expected: NacreError.Code)] = [
    ("40001", .transactionConflict), ("40P01", .deadlock),
  ]

  private let schema: String

  init() throws {
    let connection = try TestServer.connect()
    guard case .text(let schema) = try connection.values("SELECT current_schema()::text").first
    else { throw NacreError(.cannotOpen, detail: "the session has no schema") }
    self.schema = schema
    try connection.execute(
      """
      CREATE FUNCTION "refuse"("code" text) RETURNS boolean LANGUAGE plpgsql AS \
      $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = "code"; END $$; \
      CREATE DOMAIN "refused" AS text CHECK ("refuse"(VALUE)); \
      CREATE TABLE "late" ("code" text); \
      CREATE FUNCTION "refuse_late"() RETURNS trigger LANGUAGE plpgsql AS \
      $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = NEW."code"; END $$; \
      CREATE CONSTRAINT TRIGGER "late" AFTER INSERT ON "late" DEFERRABLE INITIALLY DEFERRED \
      FOR EACH ROW EXECUTE FUNCTION "refuse_late"()
      """
    )
    try connection.close()
  }

  /// Returns a statement that the server refuses as soon as it parses it.
  ///
  /// The server reads the items of an array when it parses its text, and checks each against its domain.
  func atOnce(_ state: String) -> String { "SELECT '{\(state)}'::\(schema).\"refused\"[]" }

  /// Returns a statement after which the server refuses the COMMIT, and ends the transaction by that.
  func atCommit(_ state: String) -> String { "INSERT INTO \(schema).\"late\" VALUES ('\(state)')" }
}
#endif
