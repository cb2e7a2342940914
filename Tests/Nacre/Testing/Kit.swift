import Foundation
import Nacre

/// The application that TESTING.md tests, and what its tests share.
enum Kit {
  // tour: application
  @Entity final class Car {
    var name = ""
    @Encrypted var owner = ""
    @Encrypted(unique: true) var plate: String?
  }

  /// What the application does with its default store.
  enum Garage {
    static func park(_ name: String, plate: String?) throws {
      let car = Car.create()
      car.name = name
      car.plate = plate
      try car.save()
    }

    static func find(_ plate: String) throws -> Car? {
      try Car.fetchOne(\.plate, equals: plate)
    }
  }
  // end

  // tour: fixtures
  enum Fixtures {
    /// A secret that protects nothing, for stores that a test opens again.
    static let unlock = Unlock.callback {
      try Array(repeating: 7 as UInt8, count: 32).withUnsafeBytes { try SecretBytes(copying: $0) }
    }

    /// A new store with two cars.
    static func garage() throws -> Store {
      let store = try Store.inMemory(unlock: unlock)
      try store.asDefault {
        try Garage.park("Alpine", plate: "AB 1")
        try Garage.park("Bugatti", plate: "AB 2")
      }
      return store
    }
  }
  // end

  // tour: preview
  enum Preview {
    /// The store that previews show; nil if it can't be made.
    static let store = try? Fixtures.garage()
  }
  // end

  /// The classes of the first release.
  enum Version1 {
    @Entity final class Car {
      var name = ""
      var owner = ""
    }
  }
}
