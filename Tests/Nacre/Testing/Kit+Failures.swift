import Nacre
import Testing

extension Kit {
  @Suite struct FailureTests {
    // tour: errors
    @Test func `two cars can't have the same plate`() throws {
      try Store.inMemory().asDefault {
        try Garage.park("Alpine", plate: "AB 1")
        let error = #expect(throws: NacreError.self) { try Garage.park("Bugatti", plate: "AB 1") }
        #expect(error?.code == .constraint)
        #expect(error?.entity == "Car" && error?.property == "plate")
        #expect(try Car.count() == 1)
      }
    }
    // end

    // tour: full
    @Test func `a full store loses nothing that was saved`() throws {
      var options = StoreOptions()
      options.maximumPageCount = 100  // 400 KiB
      try Store.inMemory(options: options).asDefault {
        try Garage.park("Alpine", plate: "AB 1")
        let long = String(repeating: "x", count: 4096)
        let error = #expect(throws: NacreError.self) {
          for _ in 0..<1000 { try Garage.park(long, plate: nil) }
        }
        #expect(error?.code == .diskFull)
        #expect(try Garage.find("AB 1") != nil)
      }
    }
    // end

    // tour: locked
    @Test func `without the secret there are no plates`() throws {
      let store = try Store.inMemory(unlock: nil)
      let error = store.asDefault {
        #expect(throws: NacreError.self) { try Garage.park("Alpine", plate: "AB 1") }
      }
      #expect(error?.code == .noKeyRing)
    }
    // end
  }
}
