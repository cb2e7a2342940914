import Foundation
import NacreCore
import Testing
@testable import TestSupport

@Suite struct ReferenceTests {
  @Test(.checksReferencesLate()) func `a reference to nothing is named when the transaction ends`()
    throws
  {
    let missing = UUID()
    let one = try TestStore()
    let car = Car.create()
    car.use(one.store)
    try car.save()
    car.drivers.add(objectID: missing)
    let error = #expect(throws: NacreError.self) { try car.save() }
    #expect(error?.code == .constraint)
    #expect(error?.entity == "Car")
    #expect(error?.property == "drivers")
    #expect(error?.objectID == car.objectID)
    #expect(error?.detail?.contains("Person \(missing.uuidString)") == true)
    let other = Car.create()
    other.owner = Link(objectID: missing)
    other.use(one.store)
    try one.store.begin()
    try other.save()
    let late = #expect(throws: NacreError.self) { try one.store.commit() }
    #expect(late?.property == "owner")
    #expect(late?.objectID == other.objectID)
    #expect(!other.isStored)
  }
}
