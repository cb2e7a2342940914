#if PostgreSQL
import Foundation
import NacreDAO
import NacreOpen
import NacreStore
import Testing
@testable import NacreCore
@testable import NacrePostgres
@testable import TestSupport

/// A store behind a proxy, the same store without it, and what an application does with one.
struct WholeSession {
  /// A store that several sessions use one after another.
  struct Scene {
    let directory: TemporaryDirectory
    let proxy: ServerProxy
    let url: String
    /// The same store without the proxy.
    let direct: Store

    /// Makes a store.
    ///
    /// - Parameter server: The URL of its server; nil for the one that all tests have.
    /// - Throws: The store's error.
    init(on server: String? = nil) throws {
      (directory, proxy) = (try TemporaryDirectory(), try ServerProxy(to: server))
      url = try server ?? TestPlace.newSchema()
      direct = try Self.open(url, directory, .patient)
      // Makes the tables.
      let (car, objects) = WholeSession.car("first")
      try direct.write { _ in
        try car.save()
        try Deposit.create().save()
      }
      #expect(objects.allSatisfy { $0.isStored })
      try KeyValues(direct).set(0, forKey: "first")
    }

    /// Opens the store through the proxy.
    func open(_ options: StoreOptions = .patient) throws -> Store {
      try Self.open(proxy.url(url), directory, options)
    }

    private static func open(
      _ url: String,
      _ directory: TemporaryDirectory,
      _ options: StoreOptions
    ) throws -> Store {
      try Store.open(
        url,
        unlock: .keyFile(directory.file("store.key"), createIfMissing: true),
        options: options
      )
    }

    /// Returns all that is stored of a car: the values of each one of its name, and the number of its wheels.
    func car(_ name: String) throws -> String {
      try direct.read { (_) throws in
        let cars = try Car.where("name = ?", name).fetchAll().map { (car) throws in
          "\(car.vin ?? "no VIN"), \(car.wheels.map(\.size)), \(try car.drivers.count())"
        }
        return "\(cars) \(try Wheel.where("note = ?", name).count())"
      }
    }
  }

  /// A part of a session: a transaction, with what is stored before and after it.
  struct Step {
    let name: String
    /// The objects that it saves or deletes.
    let objects: [any Entity]
    /// Returns what is stored, as another store sees it.
    let look: () throws -> String
    let (before, after): (String, String)
    var deletes = false
    let run: () throws -> Void
  }

  let store: Store
  let steps: [Step]
  private let deposit: Deposit

  /// Opens the store and fetches what the steps change, so that the session prepares in them every statement that
  /// writes.
  ///
  /// - Parameters:
  ///   - scene: The store.
  ///   - number: The session's number, which is in the names of all its objects.
  /// - Throws: The store's error.
  init(_ scene: Scene, _ number: Int) throws {
    for name in ["old", "list"] { try scene.direct.save([Self.car("\(name) \(number)").car]) }
    try scene.direct.save((1...12).map { Self.person("many \(number) \($0)") })
    let former = Deposit.create()
    (former.title, former.balance) = ("deposit \(number)", 1)
    try scene.direct.save([former])
    let store = try scene.open()
    self.store = store
    deposit = try #require(try store.read { _ in try Deposit.fetch(id: former.objectID) })
    steps = try [
      Self.newGraph(scene, store, number), Self.many(scene, store, number),
      Self.children(scene, store, number), Self.deletion(scene, store, number),
      Self.reading(scene, store, number), Self.several(scene, store, number, deposit),
      Self.keyValue(scene, store, number),
    ]
  }

  /// Saves the object that has a version once more, which fails unless that is its row's, and closes the store.
  func end() throws {
    deposit.balance += 1
    try store.save([deposit])
    try store.close()
  }

  /// The part of the objects' states that a save or a deletion changes.
  static func states(of objects: [any Entity]) -> [String] {
    objects.map {
      let state = $0.entityState
      return """
        \(type(of: $0)) \(state.isStored ? "stored" : "new") \(state.changes) \(state.version) \
        \($0.hasChanges ? "changed" : "unchanged")
        """
    }
  }

  // MARK: Objects

  /// Lets a store's session prepare all that a save of a car needs, after which its COMMIT goes behind the writes.
  static func warmUp(_ store: Store) throws {
    for _ in 1...3 { try store.save([car("warm \(UUID())").car]) }
  }

  /// What `Scene.car` returns of a car without drivers that is stored once.
  static func whole(_ name: String) -> String { "[\"VIN \(name), [1, 2, 3], 0\"] 3" }

  /// What `Scene.car` returns of a car of which nothing is stored.
  static let nothing = "[] 0"

  /// Makes a car with three wheels and an owner; returns it with all of its objects.
  static func car(_ name: String) -> (car: Car, objects: [any Entity]) {
    let (car, owner) = (Car.create(), person(name))
    (car.name, car.vin) = (name, "VIN " + name)
    car.wheels = [1, 2, 3].map { wheel($0, name) }
    car.owner = Link(owner)
    return (car, [car, owner] + car.wheels)
  }

  private static func wheel(_ size: Int, _ note: String) -> Wheel {
    let wheel = Wheel.create()
    (wheel.size, wheel.note) = (size, note)
    return wheel
  }

  private static func person(_ code: String) -> Person {
    let person = Person.create()
    (person.code, person.name) = (code, "name of " + code)
    return person
  }

  private static func fetchCar(_ name: String, _ store: Store) throws -> Car {
    try #require(try store.read { _ in try Car.fetchOne(\.name, equals: name) })
  }

  // MARK: Steps

  private static func newGraph(_ scene: Scene, _ store: Store, _ number: Int) -> Step {
    let name = "new \(number)"
    let (car, objects) = car(name)
    for case let owner as Person in objects { car.drivers.add(owner) }
    return Step(
      name: "a new graph",
      objects: objects,
      look: { try scene.car(name) },
      before: nothing,
      after: "[\"VIN \(name), [1, 2, 3], 1\"] 3"
    ) { try store.save([car]) }
  }

  private static func many(_ scene: Scene, _ store: Store, _ number: Int) throws -> Step {
    let people = try store.read { (_) throws in
      try Person.where("code LIKE ?", "many \(number) %").fetchAll()
    }
    for person in people { person.name = "changed" }
    return Step(
      name: "many changed objects",
      objects: people,
      look: {
        try scene.direct.read { (_) throws in
          let people = try Person.where("code LIKE ?", "many \(number) %").fetchAll()
          return "\(people.count { $0.name == "changed" }) of \(people.count)"
        }
      },
      before: "0 of 12",
      after: "12 of 12"
    ) { try store.save(people) }
  }

  private static func children(_ scene: Scene, _ store: Store, _ number: Int) throws -> Step {
    let name = "list \(number)"
    let car = try fetchCar(name, store)
    car.wheels.removeFirst()
    car.wheels.append(wheel(9, name))
    return Step(
      name: "other children",
      objects: [car] + car.wheels,
      look: { try scene.car(name) },
      before: whole(name),
      // A wheel that is taken from the list stays, and belongs to nobody.
      after: "[\"VIN \(name), [2, 3, 9], 0\"] 4"
    ) { try store.save([car]) }
  }

  private static func deletion(_ scene: Scene, _ store: Store, _ number: Int) throws -> Step {
    let name = "old \(number)"
    let car = try fetchCar(name, store)
    return Step(
      name: "a deletion",
      objects: [car] + car.wheels,
      look: { try scene.car(name) },
      before: whole(name),
      after: nothing,
      deletes: true
    ) { try store.delete([car], cascade: true) }
  }

  private static func reading(_ scene: Scene, _ store: Store, _ number: Int) -> Step {
    let name = "new \(number)"
    let stored = "[\"VIN \(name), [1, 2, 3], 1\"] 3"
    return Step(
      name: "a read",
      objects: [],
      look: { try scene.car(name) },
      before: stored,
      after: stored
    ) {
      let found = try store.read { (_) throws in
        try Car.fetchOne(\.name, equals: name).map { ($0.wheels.count, try Wheel.count() > 3) }
      }
      #expect(found?.0 == 3 && found?.1 == true)
    }
  }

  private static func several(
    _ scene: Scene,
    _ store: Store,
    _ number: Int,
    _ deposit: Deposit
  ) -> Step {
    let name = "several \(number)"
    let (person, wheel) = (person(name), wheel(5, name))
    deposit.balance = 6
    return Step(
      name: "several saves",
      objects: [deposit, person, wheel],
      look: {
        try scene.direct.read { (_) throws in
          let balance = try Deposit.fetch(id: deposit.objectID)?.balance ?? 0
          let people = try Person.where("code = ?", name).count()
          return "\(balance) \(people) \(try Wheel.where("note = ?", name).count())"
        }
      },
      before: "1 0 0",
      after: "6 1 1"
    ) {
      try store.write { _ in
        try deposit.save()
        try person.save()
        try store.write { _ in try wheel.save() }
      }
    }
  }

  private static func keyValue(_ scene: Scene, _ store: Store, _ number: Int) -> Step {
    Step(
      name: "a value by its key",
      objects: [],
      look: { "\(try KeyValues(scene.direct).get("key \(number)", as: Int.self) ?? 0)" },
      before: "0",
      after: "7"
    ) { try KeyValues(store).set(7, forKey: "key \(number)") }
  }
}
#endif
