#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Entities do the same on both engines.
@Suite struct EntityTests {
  private func car(_ name: String, vin: String? = nil, wheels sizes: [Int] = []) -> Car {
    let car = Car.create()
    car.name = name
    car.vin = vin
    car.wheels = sizes.map {
      let wheel = Wheel.create()
      wheel.size = $0
      wheel.note = "n\($0)"
      return wheel
    }
    return car
  }

  @Test(arguments: TestEngine.allCases)
  func `a graph is saved, fetched, changed and deleted`(engine: TestEngine) throws {
    let opened = try engine.makeStore()
    let saved = car("A", vin: Marker.text, wheels: [0, 7])
    saved.spare = saved.wheels[0]
    let owner = Person.create()
    owner.code = "ada"
    owner.name = "Ada"
    saved.owner = Link(owner)
    saved.drivers.add(owner)
    try opened.store.write { _ in
      try owner.save()
      try saved.save()
    }
    #expect(!saved.hasChanges)
    try opened.reopen()
    let store = opened.store
    try store.write { _ in
      let again = try #require(try Car.fetch(id: saved.objectID))
      #expect(again.name == "A")
      #expect(again.vin == Marker.text)
      #expect(again.wheels.map(\.size) == [0, 7])
      #expect(again.spare === again.wheels[0])
      #expect(try again.owner?.get().name == "Ada")
      #expect(try again.drivers.fetchAll().map(\.code) == ["ada"])
      #expect(!again.hasChanges)
      again.wheels.removeFirst()
      again.name = "B"
      again.vin = nil
      try again.save()
    }
    try store.write { _ in
      let third = try #require(try Car.fetchOne(\.name, equals: "B"))
      #expect(third.vin == nil)
      #expect(third.wheels.map(\.size) == [7])
      #expect(try Car.fetchValues(\.name, \.vin).first?.1 == nil)
      #expect(try third.deletionPlan().count == 3)
      try third.delete(cascade: true)
    }
    try store.read { (_) throws in
      #expect(try Wheel.count() == 0)
      #expect(try Car.count() == 0)
      #expect(try Person.count() == 1)
    }
  }

  @Test(arguments: TestEngine.allCases)
  func `conditions, orders and limits find the same`(engine: TestEngine) throws {
    let opened = try engine.makeStore()
    let store = opened.store
    try store.write { _ in
      for (index, name) in ["b", "B", "ä", "a", "Z", "", "z'\"x"].enumerated() {
        try car(name, wheels: [index, index * 10]).save()
      }
    }
    try store.read { (_) throws in
      let sorted = try Car.all.ordered(by: "name").fetchAll().map(\.name)
      #expect(sorted == ["", "B", "Z", "a", "b", "z'\"x", "ä"])
      #expect(
        try Car.all.ordered(by: "NAME DESC").limit(2).fetchAll().map(\.name) == ["ä", "z'\"x"]
      )
      #expect(try Car.fetchAll(where: "name = ?", "z'\"x").count == 1)
      #expect(
        try Car.fetchAll(where: "Name IN (?)", ["a", "b"]).map(\.name).sorted() == ["a", "b"]
      )
      #expect(try Car.fetchAll(where: "name IN (?)", [String]()).isEmpty)
      #expect(try Car.where("name NOT IN (?)", [String]()).count() == 7)
      #expect(
        try Wheel.where("size > :low AND size <= :high", ["low": 3, "high": 30]).count() == 6
      )
      #expect(try Wheel.where("size > ?", 2).where("note <> ?", "n3").count() == 9)
      #expect(try Wheel.all.sum(\.size) == 231)
      #expect(try Wheel.all.max(\.size) == 60)
      #expect(try Wheel.all.average(\.size) == 16.5)
      #expect(
        try Wheel.all.ordered(by: "size").limit(3, offset: 2).fetchAll().map(\.size) == [1, 2, 3]
      )
      #expect(try Car.where("objectID = ?", try Car.fetchAll()[0].objectID).count() == 1)
    }
  }

  @Test(arguments: TestEngine.allCases)
  func `NULL comes first in an order`(engine: TestEngine) throws {
    let opened = try engine.makeStore()
    let store = opened.store
    try store.write { _ in
      for age in [3, nil, 1, nil, 2] as [Int?] {
        let pupil = Pupil.create()
        pupil.bonus = age
        try pupil.save()
      }
    }
    try store.read { (_) throws in
      #expect(try Pupil.all.ordered(by: "bonus").fetchAll().map(\.bonus) == [nil, nil, 1, 2, 3])
      #expect(
        try Pupil.all.ordered(by: "bonus DESC").fetchAll().map(\.bonus) == [3, 2, 1, nil, nil]
      )
      #expect(try Pupil.where("bonus IS NULL").count() == 2)
    }
  }

  @Test(arguments: TestEngine.allCases)
  func `updates and deletes without loading change the same rows`(engine: TestEngine) throws {
    let opened = try engine.makeStore()
    let store = opened.store
    try store.write { _ in for size in 0..<10 { try car("c\(size)", wheels: [size]).save() } }
    try store.write { (_) throws in
      #expect(try Wheel.where("size < ?", 3).updateAll(.set(\.note, to: "x")) == 3)
      #expect(try Wheel.where("note = 'x'").updateAll(.increment(\.size, by: 100)) == 3)
      #expect(try Wheel.where("size >= 100").count() == 3)
      #expect(try Car.where("name IN (?)", ["c8", "c9"]).deleteAll(cascade: true) == 2)
    }
    try store.read { (_) throws in
      #expect(try Wheel.count() == 8)
      #expect(try Car.count() == 8)
    }
  }

  @Test(arguments: TestEngine.allCases)
  func `a failed save leaves the transaction and the objects as they were`(engine: TestEngine)
    throws
  {
    let opened = try engine.makeStore()
    let store = opened.store
    try store.write { (_) throws in
      let (one, two) = (Person.create(), Person.create())
      (one.code, two.code) = ("same", "same")
      try one.save()
      let error = #expect(throws: NacreError.self) { try two.save() }
      #expect(error?.code == .constraint)
      #expect(error?.property == "code")
      #expect(two.hasChanges)
      two.code = "other"
      try two.save()
    }
    #expect(try store.read { _ in try Person.count() } == 2)
  }

  @Test(arguments: TestEngine.allCases)
  func `a link to an object that is not stored is named when the commit fails`(engine: TestEngine)
    throws
  {
    let opened = try engine.makeStore()
    let store = opened.store
    try store.write { _ in try Person.create().save() }
    let lost = car("A")
    lost.owner = Link(objectID: UUID())
    let error = #expect(throws: NacreError.self) { try store.write { _ in try lost.save() } }
    #expect(error?.code == .constraint)
    #expect(error?.entity == "Car")
    #expect(error?.property == "owner")
    #expect(try store.read { _ in try Car.count() } == 0)
  }

  @Test(arguments: TestEngine.allCases)
  func `a sealed property in a condition is refused by its name`(engine: TestEngine) throws {
    let opened = try engine.makeStore()
    let store = opened.store
    try store.write { _ in try car("A", vin: "x").save() }
    for condition in ["vin = 'x'", "\"vin\" LIKE '%'", "name = 'A' OR VIN > ''"] {
      let error = #expect(throws: NacreError.self) {
        try store.read { _ in _ = try Car.fetchAll(where: condition) }
      }
      #expect(error?.code == .sealedCondition)
      #expect(error?.property == "vin")
    }
    #expect(try store.read { _ in try Car.where("vin IS NOT NULL").count() } == 1)
  }

  @Test(arguments: TestEngine.allCases)
  func `a cursor goes through all objects while others are read`(engine: TestEngine) throws {
    let opened = try engine.makeStore()
    let store = opened.store
    try store.write { _ in for size in 0..<500 { try car("c", wheels: [size]).save() } }
    var sizes: [Int] = []
    let cursor = try Wheel.all.ordered(by: "size").in(store).cursor()
    while let wheel = try cursor.next() {
      sizes.append(wheel.size)
      if sizes.count % 100 == 0 { #expect(try Wheel.where("size = 1").in(store).count() == 1) }
    }
    #expect(sizes == Array(0..<500))
  }
}

/// The server gets nothing of sealed properties but envelopes.
@Suite struct SealedOnServerTests {
  @Test func `the server, its log and its dump have envelopes alone`() throws {
    let opened = try TestEngine.postgres.makeStore()
    let marker = "plaintext-\(UUID().uuidString)"
    // Only a superuser may let the server log more than it does.
    let store = try Store.open(
      TestPlace.asSuperuser(opened.path),
      unlock: .keyFile(opened.directory.file("store.key"), createIfMissing: false)
    )
    defer { try? store.close() }
    let open = "public-\(UUID().uuidString)"
    // A pool's session may be older than a setting of the database.
    let logAll = "SET LOCAL log_statement = 'all'"
    try store.write { database in
      try database.execute(logAll)
      let car = Car.create()
      (car.name, car.vin) = (open, marker)
      try car.save()
      let vault = Vault.create()
      vault.secret = marker
      vault.note = marker
      vault.number = 123_456_789_123
      vault.data = Data(marker.utf8)
      try vault.save()
      car.vin = marker + "2"
      try car.save()
    }
    try store.read { (database) throws in
      try database.execute(logAll)
      #expect(try Car.fetchAll().first?.vin == marker + "2")
      #expect(try Vault.fetchAll().first?.data == Data(marker.utf8))
    }
    let environment = ProcessInfo.processInfo.environment
    let log = try Data(
      contentsOf: URL(fileURLWithPath: try #require(environment["NACRE_POSTGRES_LOG"]))
    )
    let dump = try run(
      try #require(environment["NACRE_POSTGRES_BIN"]) + "/pg_dump",
      [try TestServer.url]
    )
    for (name, bytes) in [("log", log), ("dump", dump)] {
      // What is not sealed is there, or the search would show nothing.
      #expect(bytes.range(of: Data(open.utf8)) != nil, "\(name)")
      for secret in [Data(marker.utf8), Data("123456789123".utf8)] {
        #expect(bytes.range(of: secret) == nil, "\(name)")
        let hex = Data(secret.map { String(format: "%02x", $0) }.joined().utf8)
        #expect(bytes.range(of: hex) == nil, "\(name)")
      }
    }
  }

  private func run(_ program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return output
  }
}
#endif
