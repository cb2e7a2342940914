import Foundation
import Nacre
import Testing

/// Several stores, and copies of one.
extension DefaultStoreTests.Tour {
  @Test func `an object can be made in another store than the default one`() throws {
    let (store, _, _) = try garage()
    // tour: stores
    let museum = try Store.open(
      directory + "/museum.db",
      unlock: .keyFile(directory + "/museum.key", createIfMissing: true)
    )
    let exhibit = Car.create()
    exhibit.use(museum)
    try exhibit.save()
    let count = try museum.read { _ in try Car.count() }  // in here, museum is the store
    // end
    #expect(count == 1)
    #expect(try Car.fetch(id: exhibit.objectID) == nil)
    try museum.close()
    try store.close()
  }

  @Test func `a store can be in memory`() throws {
    // tour: memory
    let preview = try Store.inMemory()  // under a key of its own; gone when it is closed
    try preview.asDefault { try Car.create().save() }
    // end
    #expect(try preview.read { _ in try Car.count() } == 1)
    try preview.close()
  }

  @Test func `a backup is a whole store`() throws {
    let (store, car, _) = try garage()
    // tour: backup
    try store.backup(to: directory + "/copy.db")  // sealed as before; the same key opens it
    // end
    try store.close()
    let copy = try Store.open(
      directory + "/copy.db",
      unlock: .keyFile(directory + "/garage.key")
    )
    #expect(try copy.read { _ in try Car.fetch(id: car.objectID)?.vin } == car.vin)
    try copy.close()
  }
}
