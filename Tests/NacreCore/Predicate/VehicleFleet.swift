import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// A store of vehicles made by chance from a seed, and the same vehicles in memory.
struct VehicleFleet {
  let test: TestStore
  let vehicles: [Vehicle]

  static let moment = Date(timeIntervalSince1970: 1_700_000_000)
  static let nul = TestPlace.nul
  /// In one normal form, so that equality by bytes is Swift's.
  static let names = [
    "", "a", "A", "Audi", "audi", "Ärger", "O'Neil", "50%_x", "ß", "zeta", "a\(TestPlace.nul)b",
  ]
  /// What bytes and characters see differently.
  static let labels = [
    "", "e", "\u{E9}", "e\u{301}", "cafe\u{301} bar", "a\r\nb", "\n", "👨‍👩‍👧", "👩", "Café",
    "plain text",
  ]

  /// The keeper's boss is the first of all keepers.
  ///
  /// It is here once, because the compiler takes ten seconds for such a predicate. It takes them wherever the type is
  /// not written.
  static let bossIsFirst: Predicate<Vehicle> = #Predicate<Vehicle> {
    $0.keeper?.loaded?.boss?.loaded?.handle == "keeper 0"
  }

  init(count: Int = 250, seed: UInt64 = 7) throws {
    var chance = Chance(state: seed)
    test = try TestStore()
    let keepers = (0..<12).map { VehicleFleet.keeper($0, &chance) }
    for (index, keeper) in keepers.enumerated() where index % 3 == 1 {
      keeper.boss = Link(keepers[index - 1])
      keeper.team.add(keepers[index - 1])
    }
    let made = (0..<count).map { _ in VehicleFleet.vehicle(keepers, &chance) }
    try test.store.write { _ in
      for keeper in keepers { try keeper.save() }
      for vehicle in made { try vehicle.save() }
    }
    vehicles = try test.store.read { _ in try Vehicle.fetchAll(with: \.keeper) }
  }

  private static func keeper(_ index: Int, _ chance: inout Chance) -> Keeper {
    let keeper = Keeper.create()
    keeper.handle = "keeper \(index)"
    keeper.code = index % 4 == 0 ? nil : "code \(index % 4)"
    keeper.age = chance.or(nil) { Int.random(in: 18...70, using: &$0) }
    return keeper
  }

  private static func tyre(_ chance: inout Chance) -> Tyre {
    let tyre = Tyre.create()
    tyre.inches = Double(Int.random(in: 26...40, using: &chance)) / 2
    tyre.brand = chance.or(nil) { ["Pirelli", "michelin", "é"].randomElement(using: &$0) }
    tyre.wear = Int.random(in: 0...5, using: &chance)
    return tyre
  }

  private static func motor(_ chance: inout Chance) -> Motor {
    let motor = Motor.create()
    motor.cylinders = Int.random(in: 2...8, using: &chance)
    motor.note = chance.or(nil) { names.randomElement(using: &$0) }
    motor.spare = chance.or(nil) { tyre(&$0) }
    motor.code = chance.or(nil) { "code \(Int.random(in: 0...4, using: &$0))" }
    return motor
  }

  private static func vehicle(_ keepers: [Keeper], _ chance: inout Chance) -> Vehicle {
    let vehicle = Vehicle.create()
    vehicle.name = names.randomElement(using: &chance) ?? ""
    vehicle.label = chance.or(nil) { labels.randomElement(using: &$0) }
    vehicle.power = Int.random(in: -5...12, using: &chance)
    vehicle.seats = chance.or(nil) { Int.random(in: 1...5, using: &$0) }
    vehicle.small = Int8.random(in: -3...3, using: &chance)
    vehicle.weight = Double(Int.random(in: -4...8, using: &chance)) / 2
    vehicle.load = chance.or(nil) { Double(Int.random(in: 0...6, using: &$0)) / 4 }
    vehicle.isNew = Bool.random(using: &chance)
    vehicle.isSold = chance.or(nil) { Bool.random(using: &$0) }
    vehicle.kind = Vehicle.Kind.allCases.randomElement(using: &chance) ?? .car
    vehicle.fuel = chance.or(nil) { Vehicle.Fuel.allCases.randomElement(using: &$0) }
    vehicle.built = moment + Double(Int.random(in: -3...3, using: &chance))
    vehicle.sold = chance.or(nil) { moment + Double(Int.random(in: -3...3, using: &$0)) }
    vehicle.serial = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, chance.byte(4)))
    vehicle.price = Decimal(Int.random(in: 0...1200, using: &chance)) / 100
    vehicle.photo = Data((0..<Int.random(in: 0...2, using: &chance)).map { _ in 7 })
    vehicle.tags = Bool.random(using: &chance) ? ["x", "y"] : []
    vehicle.motor = chance.or(nil) { motor(&$0) }
    vehicle.tyres = (0..<Int.random(in: 0...4, using: &chance)).map { _ in tyre(&chance) }
    vehicle.trips = (0..<Int.random(in: 0...2, using: &chance)).map { _ in
      let trip = Trip.create()
      trip.length = Int.random(in: 0...9, using: &chance)
      return trip
    }
    vehicle.keeper = chance.or(nil) { keepers.randomElement(using: &$0).map { Link($0) } }
    for keeper in keepers where Bool.random(using: &chance) { vehicle.drivers.add(keeper) }
    return vehicle
  }

  /// Compares what SQL finds with what the predicate is true of in memory.
  func check(
    _ predicates: [Predicate<Vehicle>],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (index, predicate) in predicates.enumerated() {
      let wanted = try vehicles.filter { try predicate.evaluate($0) }.map(\.objectID)
      let shown = Comment(rawValue: "[\(index)] \(predicate)")
      let isTelling = !wanted.isEmpty && wanted.count < vehicles.count
      #expect(isTelling, shown, sourceLocation: sourceLocation)
      try test.store.read { (_) throws in
        let found = try Vehicle.fetchAll(predicate).map(\.objectID)
        #expect(Set(found) == Set(wanted), shown, sourceLocation: sourceLocation)
        #expect(found.count == wanted.count, shown, sourceLocation: sourceLocation)
        let count = try Vehicle.count(predicate)
        #expect(count == wanted.count, shown, sourceLocation: sourceLocation)
      }
    }
  }

  /// The error that a predicate, which has no SQL, throws.
  func refusal(
    _ predicate: Predicate<Vehicle>,
    _ code: NacreError.Code = .untranslatablePredicate,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> NacreError? {
    thrown(code, sourceLocation: sourceLocation) {
      _ = try test.store.read { _ in try Vehicle.fetchAll(predicate) }
    }
  }
}

/// SplitMix64: the same numbers for the same seed.
struct Chance: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func or<T>(_ other: T?, _ made: (inout Chance) -> T?) -> T? {
    Bool.random(using: &self) ? made(&self) : other
  }

  mutating func byte(_ count: UInt8) -> UInt8 { UInt8.random(in: 0..<count, using: &self) }
}
