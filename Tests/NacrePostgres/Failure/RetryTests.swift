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

  /// Lets the server refuse a number of changes of a table, as it does because of others.
  private func refuse(_ table: String, _ code: String, atCommit: Bool, times: Int) throws {
    // The numbers of a sequence stay used when a transaction is undone.
    try TestServer.connect(to: opened.path).execute(
      """
      CREATE SEQUENCE "tries"; CREATE FUNCTION "refuse"() RETURNS trigger LANGUAGE plpgsql AS \
      $$ BEGIN IF nextval('"tries"') <= \(times) THEN \
      RAISE EXCEPTION 'refused' USING ERRCODE = '\(code)'; END IF; RETURN NULL; END $$; \
      CREATE \(atCommit ? "CONSTRAINT " : "")TRIGGER "refuse" AFTER INSERT OR UPDATE OR DELETE \
      ON "\(table)" \(atCommit ? "DEFERRABLE INITIALLY DEFERRED " : "")\
      FOR EACH ROW EXECUTE FUNCTION "refuse"()
      """
    )
  }

  private func names() throws -> [String] {
    try store.read { _ in try Car.all.ordered(by: "name").fetchAll().map(\.name) }
  }

  static let refusals: [(code: String, expected: NacreError.Code)] = [
    ("40001", .transactionConflict), ("40P01", .deadlock),
  ]

  @Test(arguments: ["Car", "Wheel", "Car_wheels"], [false, true])
  func `a refused transaction leaves everything as it was`(table: String, atCommit: Bool) throws {
    for (code, expected) in Self.refusals {
      let scene = try RetryTests()
      try scene.refuse(table, code, atCommit: atCommit, times: 1)
      let car = Self.car("A")
      let error = #expect(throws: NacreError.self) { try scene.store.write { _ in try car.save() } }
      #expect(error?.code == expected, "\(code)")
      #expect(car.hasChanges)
      #expect(try scene.names() == ["first"])
      try scene.store.write { _ in try car.save() }
      #expect(!car.hasChanges)
      #expect(try scene.names() == ["A", "first"])
    }
  }

  @Test(arguments: [false, true])
  func `a transaction runs again only as often as the caller says`(atCommit: Bool) throws {
    for (code, expected) in Self.refusals {
      let scene = try RetryTests()
      try scene.refuse("Car", code, atCommit: atCommit, times: 3)
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
    try refuse("Car", "40001", atCommit: false, times: 2)
    let count = Atomic(0)
    let car = Self.car("A")
    try await store.write(retries: 2) { _ in
      count.add(1, ordering: .relaxed)
      try car.save()
    }
    #expect(count.load(ordering: .relaxed) == 3)
    try TestServer.connect(to: opened.path).execute("ALTER SEQUENCE \"tries\" RESTART")
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
    proxy.meet(.cutBefore) { $0.isQuery("COMMIT") }
    try other.write(retries: 1) { _ in
      count += 1
      try car.save()
    }
    #expect(count == 2)
    let next = Self.car("B")
    proxy.meet(.cutOff) { $0.isQuery("COMMIT") }
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
    try refuse("Car", "40001", atCommit: false, times: 1)
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
