#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// The independent checker reads what this package has written on a server, and finds what was done to it.
@Suite struct CheckerTests {
  /// A store with a ring that was rotated, an anchor and every kind of index.
  private func store() throws -> EngineStore {
    let opened = try TestEngine.postgres.makeStore()
    let store = opened.store
    try store.write { _ in
      for index in 0..<4 {
        let badge = Badge.make("badge \(index)") {
          $0.plate = index == 2 ? nil : "PLATE \(index)"
          $0.email = "Ada-\(index)@Exämple.org"
          $0.phone = "+1 (23) \(index)"
          $0.number = index
          $0.hidden = index == 1 ? nil : "hidden"
          $0.name = "name"
        }
        try badge.save()
        let vault = Vault.create()
        (vault.secret, vault.number, vault.real) = ("secret \(index)\u{e4}", -index, .infinity)
        vault.data = Data([0, 255, UInt8(index)])
        try vault.save()
      }
    }
    #expect(try store.rotate(.patient).outcome == .finished)
    _ = try store.anchor()
    return opened
  }

  private func check(_ opened: EngineStore) throws -> BuiltProduct.Outcome {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../..").standardized.path
    let environment = ProcessInfo.processInfo.environment
    let python = try BuiltProduct.run([root + "/script/python"], environment: environment)
    try #require(python.status == 0, "\(python.complaint)")
    return try BuiltProduct.run(
      [
        python.output.trimmingCharacters(in: .whitespacesAndNewlines), root + "/Vectors/check.py",
        "store", opened.path, "--key-file", opened.directory.file("store.key"),
      ],
      environment: environment
    )
  }

  @Test func `every value and index of a store opens`() throws {
    let opened = try store()
    let outcome = try check(opened)
    #expect(outcome.status == 0, "\(outcome.everything)")
    for line in [
      "MAC and check values hold, 4 keys", "catalog number ", "anchor nacre-anchor-1:",
      "Badge: 4 rows, 7 sealed properties", "plate (TEXT): 3 opened, 1 NULL, 0 failed",
      "index of 16 bits (exact)", "index of 128 bits (exact)", "index of 8 bits (casefold/1)",
      "index of 16 bits (digits/1)", "hidden (TEXT): 4 opened, 0 NULL",
      "Vault: 4 rows, 6 sealed properties", "real (REAL): 4 opened", "ok: every sealed value opens",
    ] { #expect(outcome.output.contains(line), "\(line) in \(outcome.everything)") }
  }

  private static func flip(_ value: String, _ byte: Int) -> String {
    "set_byte(\(value), \(byte), get_byte(\(value), \(byte)) # 1)"
  }

  /// Changes an administrator could make, and what the checker says of each.
  private static let changes: [(sql: String, word: String)] = [
    (
      #"UPDATE "Vault" SET "secret" = \#(flip("\"secret\"", 40))"#,
      "FAILED: 4 values do not open"
    ),
    (#"UPDATE "Vault" SET "secret" = "other""#, "authenticationFailed"),
    (
      #"""
      UPDATE "Vault" v SET "secret" = (SELECT o."secret" FROM "Vault" o \#
      WHERE o."objectID" <> v."objectID" LIMIT 1)
      """#,
      "authenticationFailed"
    ),
    (
      #"""
      UPDATE "Badge" v SET "number__index" = (SELECT o."number__index" FROM "Badge" o \#
      WHERE o."objectID" <> v."objectID" LIMIT 1)
      """#,
      "wrongIndex"
    ),
    (
      #"""
      UPDATE "nacre_store" SET "value"."blob" = \#(flip("(\"value\").\"blob\"", 31)) \#
      WHERE "name" = 'catalogMAC'
      """#,
      "catalogTampered"
    ),
    (
      #"UPDATE "nacre_property" SET "hooked" = 1 WHERE "name" = 'secret'"#, "catalogTampered"
    ),
    (#"UPDATE "nacre_key" SET "state" = 3 WHERE "state" = 4"#, "ringTampered"),
    (
      #"""
      UPDATE "nacre_store" SET "value"."blob" = \#(flip("(\"value\").\"blob\"", 7)) \#
      WHERE "name" = 'anchor'
      """#,
      "ringTampered"
    ),
    (#"UPDATE "nacre_slot" SET "sealed" = \#(flip("\"sealed\"", 30))"#, "wrongSecret"),
  ]

  @Test func `what was changed or moved on the server is found`() throws {
    let opened = try store()
    for (sql, word) in Self.changes {
      let raw = try TestServer.connect(to: opened.path)
      let names = ["Vault", "Badge", "nacre_store", "nacre_property", "nacre_key", "nacre_slot"]
      for name in names {
        try raw.execute("CREATE TABLE \"kept_\(name)\" AS SELECT * FROM \"\(name)\"")
      }
      try raw.execute(sql)
      let outcome = try check(opened)
      #expect(outcome.status == 1, "\(sql): \(outcome.everything)")
      #expect(outcome.output.contains(word), "\(sql): \(outcome.everything)")
      #expect(!outcome.complaint.contains("Traceback"), "\(outcome.complaint)")
      for name in names {
        try raw.execute(
          """
          DELETE FROM "\(name)"; INSERT INTO "\(name)" SELECT * FROM "kept_\(name)"; \
          DROP TABLE "kept_\(name)"
          """
        )
      }
    }
    // Each change was taken back, so each was found by itself.
    #expect(try check(opened).status == 0)
  }
}
#endif
