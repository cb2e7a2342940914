import Foundation
import NacreCore
import NacreStore
import Synchronization
import Testing
@testable import TestSupport

/// An entity without children, for this file's tests alone.
private final class Voucher: Entity {
  var number = 0 { didSet { entityState.markChanged(0) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    number = try row.read(at: 0)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws { try row.bind(number, at: 0) }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Voucher.self, name: "Voucher")
    schema.add("number", \Voucher.number)
    return schema.build()
  }()
}

/// One object by its identifier.
@Suite struct FetchByIDTests {
  private final class Log: Sendable {
    private let texts = Mutex<[String]>([])

    func note(_ event: TraceEvent) {
      guard case .statement(let sql) = event else { return }
      texts.withLock { $0.append(sql) }
    }

    /// The statements that ran.
    func during(_ body: () throws -> Void) rethrows -> [String] {
      texts.withLock { $0 = [] }
      try body()
      return texts.withLock { $0 }
    }
  }

  private let log = Log()
  private let test: TestStore
  private let voucher = Voucher.create()

  init() throws {
    test = try TestStore(isSealed: false) { [log] options in
      options.trace = { log.note($0) }
    }
    voucher.number = 7
    try test.store.asDefault { try voucher.save() }
  }

  private func fetch() throws {
    #expect(try fetch(voucher.objectID)?.number == 7)
  }

  private func fetch(_ id: UUID) throws -> Voucher? {
    try test.store.asDefault { try Voucher.fetch(id: id) }
  }

  @Test(
    .sqliteOnly(
      "it counts statements, among them the PRAGMA by which SQLite tells of changed tables"
    )
  )
  func `an object without children is read by one statement without a transaction`() throws {
    try fetch()
    // The first such fetch also asks under which layout its statement was prepared.
    let first = try log.during(fetch)
    #expect(first.count == 2 && first.last == "PRAGMA schema_version")
    let ran = try log.during(fetch)
    #expect(ran.count == 1 && ran.first?.hasPrefix("SELECT") == true)
    #expect(try fetch(UUID()) == nil)
  }

  @Test(
    .sqliteOnly(
      "it counts statements, among them the PRAGMA by which SQLite tells of changed tables"
    )
  )
  func `a fetch by identifier notices that tables have changed`() throws {
    for _ in 0..<3 { try fetch() }
    try test.store.write { try $0.execute("CREATE TABLE note (text text)") }
    // It reads once more, in a transaction, after it has compared the class with the tables.
    #expect(try log.during(fetch).contains { $0.hasPrefix("BEGIN") })
    #expect(try log.during(fetch).count == 2)
    #expect(try log.during(fetch).count == 1)
  }

  @Test func `a fetch by identifier fails in a transaction that the engine has ended`() {
    _ = try? test.store.write { database in
      database.loseTransaction()
      #expect(throws: NacreError.self) { _ = try Voucher.fetch(id: voucher.objectID) }
    }
  }
}
