import Nacre
import TestSupport
import Testing

extension Kit {
  @Suite struct ReleaseTests {
    private let directory: TemporaryDirectory

    /// Where the page's test finds the file.
    private var golden: String { directory.file("garage-1.db") }

    init() throws {
      directory = try TemporaryDirectory()
      let store = try Store.inMemory(unlock: Fixtures.unlock)
      try store.write { _ in
        for (name, owner) in [("Alpine", "Ada"), ("Bugatti", "Bob")] {
          let car = Version1.Car.create()
          car.name = name
          car.owner = owner
          try car.save()
        }
      }
      // tour: golden
      try store.backup(to: golden)  // once for each release, by a program or a test that you keep
      // end
    }

    // tour: migration
    @Test func `a store of the first release becomes one of today`() throws {
      let store = try Store.inMemory(copyOf: golden, unlock: Fixtures.unlock)
      #expect(try !store.migrationPlan(Car.self).isEmpty)
      try store.migrate(Car.self)
      let found = try store.read { _ in
        try Car.fetchAll(orderBy: "name").map { [$0.name, $0.owner] }
      }
      #expect(found == [["Alpine", "Ada"], ["Bugatti", "Bob"]])
      #expect(try store.verify().isSound)
      #expect(try store.check() == [])
    }
    // end
  }
}
