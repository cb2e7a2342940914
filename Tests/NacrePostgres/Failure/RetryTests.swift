#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import Synchronization
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Transactions that the server refuses because of others, and that the caller lets run again.
@Suite struct RetryTests {
  private let opened: EngineStore
  private var store: Store { opened.store }

  init() throws {
    opened = try TestEngine.postgres.makeStore()
    try opened.store.write { _ in try Self.car("first").save() }
  }

  private static func car(_ name: String) -> Car {
    let car = Car.create()
    car.name = name
    let wheel = Wheel.create()
    wheel.size = 7
    car.wheels = [wheel]
    return car
  }

  /// Lets the server refuse changes of rows, as it does because of others.
  ///
  /// - Parameters:
  ///   - code: The SQLSTATE.
  ///   - atCommit: Whether the server waits with that until the end of the transaction.
  ///   - numbers: The changes that are refused, counted from 1 over all transactions.
  /// - Throws: The error of the engine.
  private func refuse(_ code: String, atCommit: Bool, _ numbers: ClosedRange<Int>) throws {
    let connection = try TestServer.connect(to: opened.path)
    // The numbers of a sequence stay used when a transaction is undone.
    try connection.execute(
      """
      DROP SEQUENCE IF EXISTS "tries"; CREATE SEQUENCE "tries"; \
      CREATE OR REPLACE FUNCTION "refuse"() RETURNS trigger LANGUAGE plpgsql AS \
      $$ DECLARE n bigint := nextval('"tries"'); \
      BEGIN IF n BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound) THEN \
      RAISE EXCEPTION 'refused' USING ERRCODE = '\(code)'; END IF; RETURN NULL; END $$
      """
    )
    for table in ["Car", "Wheel", "Car_wheels"] {
      try connection.execute(
        """
        DROP TRIGGER IF EXISTS "refuse" ON "\(table)"; \
        CREATE \(atCommit ? "CONSTRAINT " : "")TRIGGER "refuse" AFTER INSERT OR UPDATE OR DELETE \
        ON "\(table)" \(atCommit ? "DEFERRABLE INITIALLY DEFERRED " : "")\
        FOR EACH ROW EXECUTE FUNCTION "refuse"()
        """
      )
    }
  }

  private func names() throws -> [String] {
    try store.read { _ in try Car.all.ordered(by: "name").fetchAll().map(\.name) }
  }

  static let refusals: [(code: String, expected: NacreError.Code)] = [
    ("40001", .transactionConflict), ("40P01", .deadlock),
  ]

  @Test(arguments: refusals, [false, true])
  func `whichever statement is refused, everything is as it was`(
    refusal: (code: String, expected: NacreError.Code),
    atCommit: Bool
  ) throws {
    let (changed, old, new) = (Self.car("changed"), Self.car("old"), Self.car("new"))
    try store.write { _ in
      try changed.save()
      try old.save()
    }
    var number = 1
    while true {
      changed.name = "changed \(number)"
      try refuse(refusal.code, atCommit: atCommit, number...number)
      let error = code {
        try store.write { _ in
          try changed.save()
          try new.save()
          try old.delete(cascade: true)
        }
      }
      guard let error else { break }
      #expect(error == refusal.expected, "\(number)")
      #expect(changed.hasChanges && new.hasChanges, "\(number)")
      #expect(try names() == ["changed", "first", "old"], "\(number)")
      #expect(try store.read { _ in try Wheel.count() } == 3, "\(number)")
      number += 1
    }
    // A car, its wheel and the row between them are three changes.
    #expect(number > 7)
    #expect(!changed.hasChanges && !new.hasChanges)
    #expect(try names() == ["changed \(number)", "first", "new"])
  }

  private func code(_ body: () throws -> Void) -> NacreError.Code? {
    do {
      try body()
      return nil
    } catch {
      #expect(error is NacreError, "\(error)")
      return (error as? NacreError)?.code
    }
  }

  @Test(arguments: [false, true])
  func `a transaction runs again only as often as the caller says`(atCommit: Bool) throws {
    for (code, expected) in Self.refusals {
      let scene = try RetryTests()
      try scene.refuse(code, atCommit: atCommit, 1...3)
      var count = 0
      let car = Self.car("A")
      let error = #expect(throws: NacreError.self) {
        try scene.store.write(retries: 1) { _ in
          count += 1
          try car.save()
        }
      }
      #expect(error?.code == expected)
      #expect(count == 2)
      try scene.store.write(retries: 5) { _ in
        count += 1
        try car.save()
      }
      #expect(count == 4)
      #expect(!car.hasChanges)
      #expect(try scene.names() == ["A", "first"])
    }
  }

  @Test func `an asynchronous transaction runs again, too`() async throws {
    try refuse("40001", atCommit: false, 1...2)
    let count = Atomic(0)
    let car = Self.car("A")
    try await store.write(retries: 2) { _ in
      count.add(1, ordering: .relaxed)
      try car.save()
    }
    #expect(count.load(ordering: .relaxed) == 3)
    try TestServer.connect(to: opened.path).execute("SELECT setval('\"tries\"', 1, false)")
    let background = try await store.writeInBackground(retries: 2) { _ in
      let number = count.add(1, ordering: .relaxed).newValue
      try Self.car("B").save()
      return number
    }
    #expect(background == 6)
    #expect(try names() == ["A", "B", "first"])
  }

  @Test func `a lost connection is tried again, and an unknown commit is not`() throws {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    var options = StoreOptions()
    options.busyTimeout = 0.2
    options.postgres.connectTimeout = 0.3
    let other = try Store.open(
      proxy.url(opened.path),
      unlock: .keyFile(opened.directory.file("store.key")),
      options: options
    )
    var count = 0
    let car = Self.car("A")
    proxy.meet(.cutBefore) { $0.runs("COMMIT") }
    try other.write(retries: 1) { _ in
      count += 1
      try car.save()
    }
    #expect(count == 2)
    let next = Self.car("B")
    proxy.meet(.cutOff) { $0.completes("COMMIT") }
    let error = #expect(throws: NacreError.self) {
      try other.write(retries: 5) { _ in
        count += 1
        try next.save()
      }
    }
    #expect(error?.code == .commitUnknown)
    #expect(count == 3)
    proxy.refuses = false
    #expect(try names() == ["A", "B", "first"])
  }

  @Test func `a closure's own error ends it, and so does the transaction around it`() throws {
    struct Stop: Error {}
    var count = 0
    #expect(throws: Stop.self) {
      try store.write(retries: 5) { _ in
        count += 1
        throw Stop()
      }
    }
    #expect(count == 1)
    try refuse("40001", atCommit: false, 1...1)
    try store.write(retries: 1) { _ in
      count += 1
      let car = Self.car("A")
      try store.write(retries: 5) { _ in
        count += 10
        try car.save()
      }
    }
    #expect(count == 23)
    #expect(try names() == ["A", "first"])
  }
}
#endif
