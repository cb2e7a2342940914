import Foundation
import NacreCore
import NacreCrypto
import NacreOpen
import NacreRecords
import NacreUpkeep
import Testing
@testable import TestSupport

/// Stores in memory, which do what stores in files do, at once, and refuse the rest by name.
@Suite(.timeLimit(.minutes(10))) struct MemoryStoreTests {
  private let store: Store

  init() throws { store = try Store.inMemory(options: .patient) }

  private func car(_ name: String) throws -> Car {
    let car = Car.create()
    car.name = name
    car.vin = "\(Marker.text) of \(name)"
    car.wheels = [Wheel.create(), Wheel.create()]
    car.use(store)
    try car.save()
    return car
  }

  // MARK: At the same time

  @Test func `objects are saved while a cursor goes on, which shows the state of its beginning`()
    throws
  {
    for number in 0..<20 { _ = try car("\(number)") }
    let cars = try Car.in(store).ordered(by: "name").cursor()
    var count = 0
    while let each = try cars.next() {
      each.name += "!"
      try each.save()
      _ = try car("added")
      count += 1
      #expect(try Car.in(store).count() == 20 + count)
    }
    #expect(count == 20)
    #expect(try Car.in(store).fetchAll().count { $0.name.hasSuffix("!") } == 20)
  }

  @Test func `reads inside a write see it, and reads of another thread do not wait for it`() throws
  {
    _ = try car("kept")
    struct Stop: Error {}
    try store.write { (_) throws in
      _ = try car("new")
      #expect(try Car.count() == 2)
      #expect(
        try store.read { _ in try Car.fetchAll(orderBy: "name").map(\.name) } == ["kept", "new"]
      )
      #expect(throws: Stop.self) {
        try store.write { (_) throws in
          _ = try car("undone")
          #expect(try Car.count() == 3)
          throw Stop()
        }
      }
      let end = onOwnThread { [store] in
        do {
          let names = try Car.in(store).fetchAll().map(\.name)
          #expect(names == ["kept"])
        } catch {
          Issue.record(error)
        }
      }
      #expect(end())
    }
    #expect(try Car.in(store).count() == 2)
    #expect(throws: Stop.self) {
      try store.write { _ in
        _ = try car("lost")
        throw Stop()
      }
    }
    #expect(try Car.in(store).count() == 2)
  }

  @Test func `threads that write and read at once see whole transactions`() throws {
    let store = store
    concurrently(6) { thread in
      do {
        for number in 0..<30 {
          if thread < 3 {
            try store.write { _ in
              for _ in 0..<2 {
                let person = Person.create()
                (person.code, person.age) = (UUID().uuidString, number)
                try person.save()
              }
            }
          } else {
            let ages = try store.read { (_) throws in
              #expect(try Person.count().isMultiple(of: 2))
              return try Person.fetchAll().compactMap(\.age)
            }
            #expect(ages.count.isMultiple(of: 2))
          }
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(try Person.in(store).count() == 180)
    #expect(try store.check() == [])
  }

  @Test func `8 threads that each hold a cursor read and write beside it`() throws {
    for number in 0..<3 { _ = try car("\(number)") }
    let store = store
    let holding = Shared(0)
    let found = Shared(0)
    let ends = (0..<8).map { _ in
      onOwnThread {
        do {
          let cars = try Car.in(store).cursor()
          var car = try cars.next()
          holding.withLock { $0 += 1 }
          while holding.withLock({ $0 }) < 8 { sched_yield() }
          while let each = car {
            found.withLock { $0 += each.wheels.count }
            try store.write { _ in try Node.create().save() }
            car = try cars.next()
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    for end in ends { #expect(end()) }
    let count: Int = found.withLock { $0 }
    // Three cars with two wheels each, for each thread.
    #expect(count == 48)
    #expect(try Node.in(store).count() == 24)
  }

  @Test func `a call that waits for another thread's write gives up by name`() throws {
    var options = StoreOptions()
    options.busyTimeout = 0.1
    let store = try Store.inMemory(options: options)
    let (begun, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let end = onOwnThread {
      try? store.write { _ in
        begun.signal()
        leave.wait()
      }
    }
    begun.wait()
    let start = ContinuousClock.now
    expectError(.busy) { try store.write { _ in } }
    expectError(.stillUsed) { try store.close() }
    #expect(ContinuousClock.now - start < .seconds(20))
    leave.signal()
    #expect(end())
    try store.close()
    expectError(.storeClosed) { try store.read { _ in } }
  }

  // MARK: Everything else

  @Test func `sealed properties are sealed and searched, or locked without a secret`() throws {
    let badge = Badge.make("b") { $0.plate = "AB 1" }
    badge.use(store)
    try badge.save()
    #expect(try store.read { _ in try Badge.fetchOne(\.plate, equals: "AB 1") }?.label == "b")
    let cells = try store.read { try $0.query("SELECT plate FROM Badge") }
    guard case .blob(let bytes)? = cells.first?.first else {
      Issue.record("the plate is no blob")
      return
    }
    #expect(bytes.range(of: Data("AB 1".utf8)) == nil)
    #expect(try store.verify().isSound)
    let locked = try Store.inMemory(unlock: nil, options: .patient)
    expectError(.noKeyRing) { try locked.write { _ in try Badge.make("c").save() } }
    try locked.write { _ in try Node.create().save() }
    #expect(try Node.in(locked).count() == 1)
  }

  @Test func `keys are rotated, and what the old ones sealed is cleared from the log`() throws {
    for number in 0..<30 { _ = try car("\(number)") }
    let before = Set(try store.sealedCounts().map(\.keyID))
    var refusals = 0
    let report = try store.rotate { _ in
      expectError(.rotationHeld) { _ = try store.rotate() }
      refusals += 1
      return .goOn
    }
    #expect(report.outcome == .finished && refusals > 0)
    #expect(report.remnants == 0 && report.resealed == 30)
    #expect(before.isDisjoint(with: try store.sealedCounts().map(\.keyID)))
    #expect(try Car.in(store).fetchAll().allSatisfy { $0.vin == "\(Marker.text) of \($0.name)" })
    #expect(try store.verify().isSound)
    #expect(try store.rotate().outcome == .finished)
  }

  @Test func `slots are added and the store is rewrapped`() throws {
    let store = try Store.inMemory(unlock: Scene.unlock, options: .patient)
    let slot = try store.addSlot(Scene.wrong)
    #expect(try store.slots().count == 2)
    try store.removeSlot(slot)
    #expect(try store.slots().count == 1)
  }

  @Test func `records are inserted, found and changed`() throws {
    let guests = Table<Guest>().in(store)
    var guest = Guest()
    (guest.name, guest.pass) = ("Ada", "pass-1")
    try guests.insert(contentsOf: [guest])
    #expect(try guests.fetchOne(\.pass, equals: "pass-1")?.name == "Ada")
  }

  // MARK: What it is not

  @Test func `each store in memory is a new one, and ends when it is closed`() throws {
    _ = try car("a")
    let other = try Store.inMemory(options: .patient)
    #expect(store.isInMemory && other.path != store.path)
    try other.write { _ in try Node.create().save() }
    #expect(try other.read { _ in try Car.count() } == 0)
    try other.close()
    expectError(.storeClosed) { _ = try Node.in(other).count() }
  }

  @Test func `nobody opens, inspects, copies to or deletes the path of a store in memory`() throws {
    let other = try Scene()
    let file = try other.open()
    for body in [
      { _ = try Store.open(store.path, unlock: Scene.unlock) },
      { _ = try StoreInspection(path: store.path) }, { try Store.delete(at: store.path) },
      { try file.backup(to: store.path) },
      { _ = try Store.inMemory(copyOf: store.path, unlock: nil) },
    ] as [() throws -> Void] {
      expectError(.inMemory, body)
    }
    #expect(!Store.exists(at: store.path))
    #expect(!file.isInMemory)
    _ = try car("still there")
    #expect(try Car.in(store).count() == 1)
  }

  @Test func `an anchor is refused, and so are options that only a file can have`() throws {
    expectError(.inMemory) { _ = try store.anchor() }
    for change in [{ $0.createIfMissing = false }, { $0.isOnlyLookedAt = true }]
      as [(inout StoreOptions) -> Void]
    {
      var options = StoreOptions.patient
      change(&options)
      expectError(.inMemory) { _ = try Store.inMemory(options: options) }
    }
  }

  @Test func `nothing of it lies in a directory`() throws {
    _ = try car("a")
    try store.write { database in
      try database.execute("CREATE TEMPORARY TABLE words (word)")
      try database.execute("INSERT INTO words SELECT name FROM Car ORDER BY name")
    }
    #expect(try store.rotate().outcome == .finished)
    let places = [FileManager.default.currentDirectoryPath, NSTemporaryDirectory()]
    for place in places {
      let names = try FileManager.default.contentsOfDirectory(atPath: place)
      #expect(!names.contains { $0.hasPrefix(":memory:") })
    }
  }

  // MARK: Copies

  @Test func `a backup of it is a store in a file, which the same secret opens`() throws {
    let store = try Store.inMemory(unlock: Scene.unlock, options: .patient)
    let scene = try Scene()
    try store.write { _ in
      let person = Person.create()
      (person.code, person.name) = ("a", Marker.text)
      try person.save()
    }
    try store.backup(to: scene.path)
    let copy = try scene.open()
    #expect(try Person.in(copy).fetchAll().map(\.name) == [Marker.text])
    #expect(!copy.isInMemory)
    try copy.close()
    expectError(.wrongSecret) { _ = try scene.open(Scene.wrong) }
  }

  @Test func `a copy of a file in memory leaves the file as it is`() throws {
    let scene = try Scene()
    let file = try scene.open()
    let person = Person.create()
    (person.code, person.name) = ("a", Marker.text)
    try scene.save(person, in: file)
    try file.close()
    let before = try scene.directory.bytes("store.db")
    let copy = try Store.inMemory(
      copyOf: scene.path,
      unlock: Scene.unlock,
      options: .patient
    )
    let found = try #require(try Person.in(copy).fetchOne())
    #expect(found.name == Marker.text)
    found.name = "changed"
    try found.save()
    #expect(try copy.rotate().outcome == .finished)
    try copy.close()
    #expect(try scene.directory.bytes("store.db") == before)
    expectError(.wrongSecret) {
      _ = try Store.inMemory(copyOf: scene.path, unlock: Scene.wrong)
    }
    expectError(.cannotOpen) {
      _ = try Store.inMemory(copyOf: scene.directory.file("none.db"), unlock: nil)
    }
    try Data("hello".utf8).write(to: URL(fileURLWithPath: scene.directory.file("text.db")))
    expectError(.notAStore) {
      _ = try Store.inMemory(copyOf: scene.directory.file("text.db"), unlock: nil)
    }
  }
}
