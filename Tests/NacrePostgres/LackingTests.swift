#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// A store on a server that lacks something that PostgreSQL has; the tests take it from the engine.
@Suite(.timeLimit(.minutes(15))) struct LackingTests {
  /// What a server can lack.
  static let lacks: [EngineCapabilities] = [
    .defersReferences, .locksTables, [.defersReferences, .locksTables, .tellsChanges],
  ]

  private let directory: TemporaryDirectory
  private let url: String

  init() throws { (directory, url) = (try TemporaryDirectory(), try TestPlace.newSchema()) }

  private func open(
    _ missing: EngineCapabilities,
    at url: String? = nil,
    _ options: StoreOptions = .patient
  ) throws -> Store {
    try Store.open(
      PostgresHome(url: url ?? self.url, settings: options.postgres, missing: missing),
      unlock: .keyFile(directory.file("store.key"), createIfMissing: true),
      options: options
    )
  }

  private static func car(_ name: String) -> Car {
    let car = Car.graph(name)
    car.spare = car.wheels[0]
    return car
  }

  /// Makes a ring of nodes, each of which has the next one.
  private static func ring(_ count: Int) -> [Node] {
    let nodes = (0..<count).map { number in
      let node = Node.create()
      node.label = number
      return node
    }
    for number in 0..<count { nodes[number].next = nodes[(number + 1) % count] }
    return nodes
  }

  private func expectNoDeferrableKey(in store: Store) throws {
    let counts = try TestServer.connect(to: url).values(
      """
      SELECT count(*) FILTER (WHERE condeferrable) || ' of ' || (count(*) > 5)::text FROM pg_constraint \
      WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
      """
    )
    #expect(counts == [.text("0 of true")])
  }

  // MARK: The lane

  @Test func `a lane that has lost its row lets nobody write`() throws {
    let store = try open(.locksTables)
    let cars = ["a", "b", "c"].map(Self.car)
    try store.save([cars[0]])
    let raw = try TestServer.connect(to: url)
    try raw.execute("DELETE FROM \"nacre_lane\"")
    let error = #expect(throws: NacreError.self) { try store.save([cars[1]]) }
    #expect(error?.code == .corrupt)
    #expect(cars[1].hasChanges)
    try raw.execute("INSERT INTO \"nacre_lane\" VALUES (1, 0)")
    try store.save([cars[2]])
    #expect(try store.read { (_) throws in try Car.count() } == 2)
  }

  // MARK: References that are checked at once

  @Test(arguments: lacks)
  func `graphs and their cycles are stored, changed and deleted`(missing: EngineCapabilities)
    throws
  {
    let store = try open(missing)
    let car = Self.car("a")
    try store.save([car])
    let nodes = Self.ring(4)
    defer { for node in nodes { node.next = nil } }
    try store.save([nodes[0]])
    let own = Node.create()
    own.next = own
    defer { own.next = nil }
    try store.save([own])
    if missing.contains(.defersReferences) { try expectNoDeferrableKey(in: store) }
    // Stored objects that come to refer to new ones, and those to them.
    let more = Self.ring(2)
    defer { for node in more { node.next = nil } }
    try store.write { (_) throws in
      more[1].next = nodes[2]
      nodes[1].next = more[0]
      try nodes[0].save()
      car.wheels.append(Wheel.create())
      car.wheels.swapAt(0, 3)
      car.spare = Wheel.create()
      try car.save()
    }
    let labels = try store.read { (_) throws in
      let found = try #require(try Node.fetchOne(\.label, equals: 2))
      defer { found.next?.next?.next?.next?.next = nil }
      var (labels, node): ([Int], Node?) = ([], found)
      for _ in 0..<6 {
        labels.append(node?.label ?? -1)
        node = node?.next
      }
      return labels
    }
    #expect(labels == [2, 3, 0, 1, 0, 1])
    try store.read { (_) throws in
      let found = try #require(try Car.fetchOne(\.name, equals: "a"))
      #expect(found.wheels.map(\.objectID) == car.wheels.map(\.objectID))
      #expect(found.spare?.objectID == car.spare?.objectID)
      #expect(try found.owner?.get().name == "owner of a")
    }
    #expect(try store.verify().faults.isEmpty)
    try store.write { (_) throws in
      try car.delete(cascade: true)
      try nodes[0].delete(cascade: true)
      try own.delete(cascade: true)
    }
    #expect(try store.read { (_) throws in try Wheel.count() + Node.count() + Car.count() } == 0)
  }

  @Test func `a link to an object that is not stored is refused, and nothing is stored`() throws {
    let store = try open(.defersReferences)
    try store.save([Self.car("a")])
    let car = Self.car("b")
    car.owner = Link<Person>(objectID: UUID())
    let error = #expect(throws: NacreError.self) { try store.save([car]) }
    #expect(error?.code == .constraint)
    #expect(error?.entity == "Car")
    #expect(error?.objectID == car.objectID)
    #expect(!car.isStored)
    #expect(try store.read { (_) throws in try Car.count() } == 1)
  }

  @Test func `lines are imported whose references lead forward`() throws {
    let file = try TestEngine.sqlite.makeStore()
    let nodes = Self.ring(5)
    defer { for node in nodes { node.next = nil } }
    try file.store.save([nodes[0]])
    try file.store.save([Self.car("a"), Self.car("b")])
    func lines(_ store: Store) throws -> [String] {
      var lines: [String] = []
      _ = try store.export(revealing: true) { lines.append(String(decoding: $0, as: UTF8.self)) }
      return lines
    }
    let all = try lines(file.store)
    let store = try open(.defersReferences)
    // Without a node, another one refers to nothing.
    let one = try #require(
      all.firstIndex { $0.contains("\"objectID\":\"\(nodes[3].objectID.uuidString)\"") }
    )
    var fewer = all
    fewer.remove(at: one)
    let last = fewer[fewer.count - 1]
    let rows = try #require(last.firstMatch(of: /"rows":(\d+)/))
    fewer[fewer.count - 1] = last.replacing(
      rows.output.0,
      with: "\"rows\":\((Int(rows.output.1) ?? 0) - 1)"
    )
    var left = fewer[...]
    let error = #expect(throws: NacreError.self) {
      _ = try store.importLines { left.popFirst().map { Data($0.utf8) } }
    }
    #expect(error?.entity == "Node" && error?.property == "next", "\(String(describing: error))")
    left = all[...]
    _ = try store.importLines { left.popFirst().map { Data($0.utf8) } }
    #expect(try lines(store).dropFirst() == all.dropFirst())
    #expect(try store.verify().faults.isEmpty)
    try expectNoDeferrableKey(in: store)
  }

  // MARK: A row in the place of a lock

  @Test func `writers take turns, and each sees what the one before has stored`() throws {
    let store = try open(.locksTables)
    let safe = Safe.create()
    safe.secret = "0"
    try store.save([safe])
    let id = safe.objectID
    let stores = try (0..<4).map { _ in try open(.locksTables) }
    let threads = stores.map { store in
      OwnThread {
        for _ in 0..<25 {
          try store.write { (_) throws in
            let safe = try #require(try Safe.fetch(id: id))
            safe.secret = "\((Int(safe.secret ?? "") ?? 0) + 1)"
            try safe.save()
          }
        }
      }
    }
    let report = try store.rotate(.patient)
    for thread in threads { try thread.value() }
    #expect(report.outcome != .stopped)
    #expect(try store.read { (_) throws in try Safe.fetch(id: id)?.secret } == "100")
    #expect(try store.verify().badCells.isEmpty)
  }

  @Test func `a writer that waits for too long is told so`() throws {
    try open(.locksTables).close()
    var settings = PostgresSettings()
    settings.busyTimeout = 0.2
    func connect() throws -> any EngineConnection {
      try PostgresHome(url: url, settings: settings, missing: .locksTables).connect(.writer)
    }
    let (one, two) = (try connect(), try connect())
    try one.begin(.immediate)
    expect(.busy) { try two.begin(.immediate) }
    #expect(!two.isInTransaction)
    try one.commit()
    try two.begin(.deferred)
    expect(.busy) { try one.begin(.immediate) }
    try two.rollback()
    try one.begin(.immediate)
    try one.rollback()
  }

  @Test func `stores are made by many at once, and are one`() throws {
    let threads = (0..<6).map { _ in
      OwnThread {
        let store = try open(.locksTables)
        defer { try? store.close() }
        return store.storeID.bytes
      }
    }
    #expect(Set(try threads.map { try $0.value() }).count == 1)
  }

  @Test(
    arguments: [.locksTables, [.defersReferences, .locksTables, .tellsChanges]]
      as [EngineCapabilities]
  )
  func `a server that locks no names is asked for no such lock`(missing: EngineCapabilities) throws
  {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    proxy.meet(.cutBefore) { $0.contains("advisory") }
    let store = try open(missing, at: proxy.url(url))
    try store.save([Self.car("a")])
    #expect(try store.rotate(.patient).outcome == .finished)
    try store.close()
    #expect(proxy.counts.cuts == 0)
  }

  @Test func `a server that locks no names tells observers of each commit`() async throws {
    var options = StoreOptions.patient
    // It looks by itself only when this test's time is long over.
    options.observationInterval = 100
    let store = try open(.locksTables, options)
    var changes = try await store.changes(of: Car.self).makeAsyncIterator()
    let saved = try {
      let car = Self.car("a")
      try open(.locksTables).save([car])
      return car.objectID
    }()
    #expect(await changes.next()?.inserted == [saved])
  }

  // MARK: Commits

  @Test(arguments: lacks)
  func `a conflict at the commit undoes all, and the caller can have it run again`(
    missing: EngineCapabilities
  ) throws {
    let store = try open(missing)
    try store.save([Self.car("first")])
    // The numbers of a sequence stay used when a transaction is undone.
    try TestServer.connect(to: url).execute(
      """
      CREATE SEQUENCE "tries"; CREATE FUNCTION "refuse"() RETURNS trigger LANGUAGE plpgsql AS \
      $$ BEGIN IF nextval('"tries"') <= 3 THEN RAISE EXCEPTION 'refused' USING ERRCODE = '40001'; \
      END IF; RETURN NULL; END $$; \
      CREATE CONSTRAINT TRIGGER "refuse" AFTER INSERT ON "Car" DEFERRABLE INITIALLY DEFERRED \
      FOR EACH ROW EXECUTE FUNCTION "refuse"()
      """
    )
    let car = Self.car("second")
    let error = #expect(throws: NacreError.self) { try store.save([car]) }
    #expect(error?.code == .transactionConflict)
    #expect(!car.isStored && car.hasChanges)
    #expect(try store.read { (_) throws in try Car.count() + Wheel.count() } == 4)
    var tries = 0
    try store.write(retries: 3) { _ in
      tries += 1
      try car.save()
    }
    #expect(tries == 3)
    #expect(try store.read { (_) throws in try Car.count() + Wheel.count() } == 8)
  }

  @Test(arguments: lacks)
  func `a commit whose answer is lost is found`(missing: EngineCapabilities) throws {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    let store = try open(missing, at: proxy.url(url))
    try store.save([Self.car("first")])
    // The server says that it has committed, and nobody hears it.
    proxy.meet(.cutBefore) { $0.direction == .toClient && $0.contains("COMMIT") }
    try store.save([Self.car("stored")])
    #expect(proxy.counts.cuts == 1)
    proxy.meet(.cutBefore) { $0.runs("COMMIT") }
    let error = #expect(throws: NacreError.self) { try store.save([Self.car("lost")]) }
    #expect(error?.code == .connectionLost)
    let names = try store.read { (_) throws in try Car.fetchAll().map(\.name) }
    #expect(Set(names) == ["first", "stored"])
  }
}
#endif
