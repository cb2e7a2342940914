import Dispatch
import Foundation
@testable import NacreCore
import NacreSQLite
import Synchronization
import Testing
@testable import TestSupport

/// A cascade that is undone half-way leaves every object as unsaved as before.
@Suite struct RollbackTests {
  private struct Stop: Error {}

  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open()
    let person = Person.create()
    person.code = "taken"
    try scene.save(person, in: store)
  }

  /// A graph whose last object violates a constraint.
  private func graph(_ code: String) -> Car {
    let (car, owner) = (Car.create(), Person.create())
    car.name = "car"
    car.vin = Marker.text
    car.wheels = (0..<20).map { _ in Wheel.create() }
    car.spare = car.wheels[3]
    owner.code = code
    owner.name = Marker.text
    car.owner = Link(owner)
    return car
  }

  private func expectUnsaved(_ car: Car, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(!car.isStored && car.hasChanges, sourceLocation: sourceLocation)
    #expect(
      car.wheels.allSatisfy { !$0.isStored && $0.hasChanges },
      sourceLocation: sourceLocation
    )
    // The link still holds its new object, which nobody else does.
    #expect(car.owner?.loaded?.isStored == false, sourceLocation: sourceLocation)
  }

  private func counts() throws -> [Int] {
    try store.read { database in
      let isThere = try database.connection.schema.hasTable("Car_wheels")
      let joins = isThere ? try database.query("SELECT 1 FROM \"Car_wheels\"").count : 0
      return [try Car.count(), try Wheel.count(), try Person.count(), joins]
    }
  }

  @Test func `a constraint that the last object violates undoes the whole cascade`() throws {
    let car = graph("taken")
    let owner = try #require(car.owner?.loaded)
    expectError(.constraint, entity: "Person", property: "code", objectID: owner.objectID) {
      try scene.save(car, in: store)
    }
    expectUnsaved(car)
    #expect(try counts() == [0, 0, 1, 0])
    owner.code = "free"
    try scene.save(car, in: store)
    #expect(try counts() == [1, 20, 2, 20])
    #expect(!car.hasChanges && !owner.hasChanges)
  }

  @Test func `an error in a write undoes the save before it`() throws {
    let car = graph("free")
    #expect(throws: Stop.self) {
      try store.write { _ in
        try car.save()
        #expect(car.isStored)
        throw Stop()
      }
    }
    expectUnsaved(car)
    #expect(try counts() == [0, 0, 1, 0])
    try scene.save(car, in: store)
    #expect(try counts() == [1, 20, 2, 20])
  }

  @Test func `a savepoint that fails leaves the transaction around it whole`() throws {
    let (first, second, third) = (Node.create(), Node.create(), Node.create())
    try store.write { _ in
      try first.save()
      #expect(throws: Stop.self) {
        try store.write { _ in
          try second.save()
          first.label = 3
          try first.save()
          throw Stop()
        }
      }
      #expect(!second.isStored && first.hasChanges && first.isStored)
      try third.save()
    }
    #expect(try store.read { _ in try Node.count() } == 2)
    #expect(try store.read { _ in try Node.fetch(id: first.objectID)?.label } == 0)
    try first.save()
    #expect(try store.read { _ in try Node.fetch(id: first.objectID)?.label } == 3)
  }

  @Test func `a save that fails inside a transaction undoes only itself`() throws {
    let (node, car) = (Node.create(), graph("taken"))
    try store.write { _ in
      try node.save()
      expectError(.constraint) { try car.save() }
      expectUnsaved(car)
    }
    #expect(node.isStored && !node.hasChanges)
    #expect(try store.read { _ in try Node.count() } == 1)
    #expect(try counts() == [0, 0, 1, 0])
  }

  @Test func `a rollback by hand undoes saves, updates and deletes`() throws {
    let (kept, gone) = (Node.create(), Node.create())
    try scene.save(kept, in: store)
    try scene.save(gone, in: store)
    let car = graph("free")
    try store.begin()
    try store.write { _ in try car.save() }
    kept.label = 4
    try kept.save()
    #expect(!kept.hasChanges)
    try gone.delete()
    #expect(!gone.isStored)
    try store.rollback()
    expectUnsaved(car)
    #expect(kept.hasChanges && kept.isStored && gone.isStored && !gone.hasChanges)
    #expect(try counts() == [0, 0, 1, 0])
    #expect(try store.read { _ in try Node.count() } == 2)
    try kept.save()
    try scene.save(car, in: store)
    #expect(try store.read { _ in try Node.fetch(id: kept.objectID)?.label } == 4)
    #expect(try counts() == [1, 20, 2, 20])
  }

  @Test(.checksReferencesLate()) func `a commit that fails undoes the transaction and ends it`()
    throws
  {
    let node = Node.create()
    try scene.save(Car.create(), in: store)
    func violate(_ database: Database) throws {
      try node.save()
      try database.execute("UPDATE \"Car\" SET spare = ?", UUID())
    }
    expectError(.constraint) { try store.write { try violate($0) } }
    #expect(!node.isStored)
    try store.begin()
    try store.write { try violate($0) }
    #expect(node.isStored)
    expectError(.constraint) { try store.commit() }
    #expect(!node.isStored)
    expectError(.transactionState) { try store.commit() }
    expectError(.transactionState) { try store.rollback() }
    try scene.save(node, in: store)
    #expect(try store.read { _ in try Node.count() } == 1)
  }

  @Test func `tables that were made in a transaction that failed are made again`() throws {
    let scene = try Scene()
    let store = try scene.open()
    for _ in 0..<2 {
      #expect(throws: Stop.self) {
        try store.write { _ in
          try Car.create().save()
          throw Stop()
        }
      }
    }
    #expect(try store.objectNames(among: ["Car"]).isEmpty)
    try scene.save(Car.create(), in: store)
    #expect(try store.read { _ in try Car.count() } == 1)
  }

  @Test func `a replaced child that may not be deleted leaves its owner as it was`() throws {
    let (picky, guarded) = (Picky.create(), Guarded.create())
    guarded.wheels = [Wheel.create()]
    picky.guarded = guarded
    try scene.save(picky, in: store)
    picky.guarded = Guarded.create()
    try store.write { _ in
      try picky.guarded?.save()
      expectError(.deleteDenied, entity: "Guarded", property: "wheels", objectID: guarded.objectID)
      {
        try picky.save()
      }
    }
    #expect(picky.hasChanges)
    #expect(
      try store.read { _ in try Picky.fetchOne()?.guarded?.objectID } == guarded.objectID
    )
  }

  @Test func `a transaction is begun once and ended once`() throws {
    expectError(.transactionState) { try store.commit() }
    try store.begin()
    expectError(.transactionState) { try store.begin() }
    expectError(.transactionState) { try store.close() }
    try store.rollback()
    try store.write { _ in
      expectError(.transactionState) { try store.commit() }
      expectError(.transactionState) { try store.begin() }
      expectError(.transactionState) { try store.close() }
    }
    #expect(try counts() == [0, 0, 1, 0])
  }

  @Test func `a marked child and its owner are put back when the save fails`() throws {
    let car = graph("free")
    try scene.save(car, in: store)
    car.wheels[0].isMarkedForDeletion = true
    car.name = "changed"
    #expect(throws: Stop.self) {
      try store.write { _ in
        try car.save()
        throw Stop()
      }
    }
    #expect(car.wheels[0].isStored && car.wheels[0].isMarkedForDeletion && car.hasChanges)
    #expect(try counts() == [1, 20, 2, 20])
    try car.save()
    #expect(try counts() == [1, 19, 2, 19])
    car.name = "again"
    try car.save()
    #expect(try counts() == [1, 19, 2, 19])
  }

  @Test func `a new child that is marked before it is ever stored is left out`() throws {
    let car = graph("free")
    let spare = Wheel.create()
    spare.isMarkedForDeletion = true
    car.spare = spare
    car.wheels.append(spare)
    try scene.save(car, in: store)
    #expect(try counts() == [1, 20, 2, 20])
    #expect(try store.read { _ in try Car.fetchOne() }?.spare == nil)
  }

  @Test func `additions to links wait again after a rollback`() throws {
    let car = graph("free")
    let driver = Person.create()
    driver.code = "driver"
    car.drivers.add(driver)
    #expect(throws: Stop.self) {
      try store.write { _ in
        try car.save()
        throw Stop()
      }
    }
    #expect(!driver.isStored)
    #expect(try counts() == [0, 0, 1, 0])
    try scene.save(car, in: store)
    #expect(try counts() == [1, 20, 3, 20])
    #expect(try car.drivers.count() == 1)
  }

  @Test func `an entity's tables are not looked for before they are committed`() throws {
    let reading = DispatchSemaphore(value: 0)
    let found = Mutex<Result<Int, any Error>?>(nil)
    try store.write { _ in
      try Sample.create().save()
      let store = store
      Thread.detachNewThread {
        let result = Result { try store.read { _ in try Sample.count() } }
        found.withLock { $0 = result }
        reading.signal()
      }
      // The other thread needs the writer to know the tables, and waits for us.
      while try store.pool.writerQueueCount == 0, found.withLock({ $0 == nil }) { sched_yield() }
    }
    reading.wait()
    #expect(try found.withLock { $0 }?.get() == 1)
  }

  // MARK: Inverse links

  /// A stored piece in the list of a new cart, which a save links to the cart.
  private func stocked() throws -> (cart: Cart, piece: Piece) {
    let (cart, piece) = (Cart.create(), Piece.named("stored"))
    try scene.save(piece, in: store)
    cart.use(store)
    cart.linked = [piece]
    return (cart, piece)
  }

  @Test func `a rollback takes an inverse link back, and keeps what was set since`() throws {
    let (cart, piece) = try stocked()
    #expect(throws: Stop.self) {
      try store.write { _ in
        try cart.save()
        #expect(piece.cart?.objectID == cart.objectID)
        piece.name = "set since"
        throw Stop()
      }
    }
    #expect(piece.cart == nil && piece.hasChanges)
    try piece.save()
    #expect(try store.read { _ in try Piece.fetch(id: piece.objectID) }?.name == "set since")
  }

  @Test func `a rollback keeps an inverse link that the application has set since`() throws {
    let (cart, piece) = try stocked()
    let other = Cart.create()
    try scene.save(other, in: store)
    try store.write { _ in
      try store.write { inner in
        try cart.save()
        piece.cart = Link(other)
        inner.shouldRollback = true
      }
      try piece.save()
    }
    let stored = try store.read { _ in try Piece.fetch(id: piece.objectID) }
    #expect(stored?.cart?.objectID == other.objectID)
  }

  @Test func `an inverse link that a rollback took back is no unsaved change`() throws {
    let (cart, piece) = try stocked()
    try store.write { database in
      try cart.save()
      database.shouldRollback = true
    }
    #expect(piece.cart == nil && !piece.hasChanges)
  }
}
