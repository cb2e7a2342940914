import Nacre
import Testing

extension Kit {
  // tour: suite
  @Suite struct CarTests {
    let store: Store

    init() throws { store = try Store.inMemory() }

    @Test func `a car comes back as it was saved`() throws {
      try store.write { _ in
        let car = Car.create()
        car.name = "Alpine"
        car.owner = "Ada"
        try car.save()
      }
      let found = try store.read { _ in try Car.fetchAll().map { [$0.name, $0.owner] } }
      #expect(found == [["Alpine", "Ada"]])
    }

    @Test func `a car is deleted`() throws {
      let car = Car.create()
      car.use(store)
      try car.save()
      try car.delete()
      #expect(try Car.in(store).count() == 0)
    }
  }
  // end

  @Suite struct DefaultTests {
    // tour: default
    @Test func `a car is found by its plate`() throws {
      try Store.inMemory().asDefault {
        try Garage.park("Alpine", plate: "AB 1")
        #expect(try Garage.find("AB 1")?.name == "Alpine")
        #expect(try Garage.find("AB 2") == nil)
      }
    }
    // end

    // tour: async
    @Test func `cars are counted by a task`() async throws {
      let store = try await Store.inMemory()
      try await store.asDefault {
        try await Car.create().save()
        async let count = Car.count()
        #expect(try await count == 1)
      }
    }
    // end

    // tour: fixture
    @Test func `the fixture has two cars`() throws {
      try Fixtures.garage().asDefault {
        let found = try Garage.find("AB 2")
        #expect(found?.name == "Bugatti")
        #expect(try Car.count() == 2)
      }
    }
    // end
  }

  @Test static func `a preview shows the fixture`() throws {
    let store = try #require(Preview.store)
    #expect(try store.read { _ in try Car.count() } == 2)
  }
}

// tour: trait
/// Gives each test a default store of its own, in memory.
struct StoreTrait: TestTrait, SuiteTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let store = try await Store.inMemory()
    try await store.asDefault { try await function() }
  }
}

extension Trait where Self == StoreTrait {
  static var storeInMemory: Self { Self() }
}
// end

extension Kit {
  // tour: traits
  @Suite(.storeInMemory) struct ParkingTests {
    @Test(arguments: ["Alpine", "Bugatti", "Citroën"])
    func `each test finds its own car alone`(name: String) throws {
      try Garage.park(name, plate: "AB 1")
      #expect(try Garage.find("AB 1")?.name == name)
      #expect(try Car.count() == 1)
    }
  }
  // end
}
