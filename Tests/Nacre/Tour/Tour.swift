import Foundation
import Nacre
import Testing
import TestSupport

extension DefaultStoreTests {
  /// The examples of README.md, TOUR.md and ADOPT.md: every Swift block there is a region of these files, between `// tour:` and
  /// `// end`, and runs here.
  @Suite struct Tour {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    /// The directory in which the tour's files lie.
    var directory: String { temporary.path }

    @Test func `a store is opened and made the default one`() throws {
      // tour: opening
      let store = try Store.open(
        directory + "/garage.db",
        unlock: .keyFile(directory + "/garage.key", createIfMissing: true)
      )
      try store.makeDefault()
      // end
      #expect(Store.default === store)
      #expect(FileManager.default.fileExists(atPath: directory + "/garage.key"))
      try store.close()
    }

    /// An open garage, which is the default store, with one car in it.
    func garage() throws -> (store: Store, car: Car, ada: Person) {
      let store = try Store.open(
        directory + "/garage.db",
        unlock: .keyFile(directory + "/garage.key", createIfMissing: true)
      )
      try store.makeDefault()
      let ada = Person.create()
      ada.handle = "ada"
      ada.email = "ada@example.org"
      let car = Car.create()
      car.name = "Alpine A110"
      car.power = 252
      car.vin = "VFAA110A400000001"
      car.engine = Engine.create()
      car.wheels = (1...4).map { _ in Wheel.create() }
      car.owner = Link(ada)
      try car.save()
      return (store, car, ada)
    }
  }
}
