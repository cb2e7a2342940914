import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// SQL finds the objects of which a predicate is true in memory.
@Suite struct PredicateDifferenceTests {
  @Test func `SQL compares numbers as the predicate does in memory`() throws {
    let half = 0.5
    try VehicleFleet().check([
      #Predicate { $0.power > 3 },
      #Predicate { $0.power <= 3 && $0.weight < 2 },
      #Predicate { $0.power == 3 || $0.power != 4 && $0.small >= 1 },
      #Predicate { !($0.power > 3) },
      #Predicate { $0.weight == 1.5 },
      #Predicate { $0.weight > half },
      #Predicate { 3 < $0.power },
      #Predicate { $0.power + 1 > 5 },
      #Predicate { $0.power * 2 - 3 == 5 },
      #Predicate { $0.power / 2 == 1 },
      #Predicate { $0.power % 3 == -1 },
      #Predicate { -$0.power > 2 },
      #Predicate { $0.weight / 2 > 0.6 },
      #Predicate { 1 / $0.weight > 1 },
      #Predicate { !(1 / $0.weight > 1) },
      #Predicate { $0.weight * 2 + half < 3 },
      #Predicate { $0.small == 2 },
    ])
  }

  @Test func `SQL compares a NaN as the predicate does in memory`() throws {
    try VehicleFleet().check([
      #Predicate { $0.weight / $0.weight == $0.weight / $0.weight },
      #Predicate { $0.weight / $0.weight != $0.weight / $0.weight },
      #Predicate { !($0.weight / $0.weight > 0) },
      #Predicate { $0.weight / $0.weight < 2 },
      #Predicate { 0 - ($0.weight / $0.weight) != -1 },
      #Predicate { [1.0].contains($0.weight / $0.weight) },
      #Predicate { ![1.0].contains($0.weight / $0.weight) },
      #Predicate { !(0.0...2.0).contains($0.weight / $0.weight) },
      #Predicate { ($0.isNew ? $0.weight / $0.weight : 1) == 1 },
    ])
  }

  @Test func `SQL computes with infinite numbers as the predicate does in memory`() throws {
    let (zero, infinity) = (0.0, Double.infinity)
    try VehicleFleet().check([
      #Predicate { $0.weight / zero == infinity },
      #Predicate { $0.weight / zero != infinity },
      #Predicate { !($0.weight / zero > 1) },
      #Predicate { $0.weight / zero - $0.weight / zero == 0 || $0.isNew },
      #Predicate { !($0.weight / zero - $0.weight / zero == 0) && $0.isNew },
      #Predicate { !($0.weight / zero - $0.weight / zero > -1) && $0.isNew },
      #Predicate { $0.weight / zero * $0.weight != 1 && $0.isNew },
    ])
  }

  @Test func `SQL compares a NaN in an optional as the predicate does in memory`() throws {
    let one: Double? = 1
    try VehicleFleet().check([
      #Predicate { $0.load.flatMap { $0 / $0 } == one },
      #Predicate { $0.load.flatMap { $0 / $0 } != one },
      #Predicate { $0.load.flatMap { $0 / 2 } == nil },
      #Predicate { ($0.load.flatMap { 1 / $0 + 2 } ?? 1) > 3 },
      #Predicate { if let load = $0.load { !(load / load == 1) } else { false } },
    ])
  }

  @Test func `an integer divided by zero is equal to nothing`() throws {
    let fleet = try VehicleFleet()
    let divided = fleet.vehicles.filter { $0.power != 0 }.count
    try fleet.test.store.read { (_) throws in
      #expect(try Vehicle.count(#Predicate { 6 / $0.power == 6 / $0.power }) == divided)
      #expect(try Vehicle.count(#Predicate { 6 % $0.power == 6 % $0.power }) == divided)
      let zeros = fleet.vehicles.count - divided
      #expect(try Vehicle.count(#Predicate { 6 / $0.power != 6 / $0.power }) == zeros)
      #expect(try Vehicle.count(#Predicate { !(6 / $0.power <= 6) }) == zeros)
    }
  }

  @Test func `a NaN is not taken for nil`() throws {
    let fleet = try VehicleFleet()
    let values: [Double?] = [nil, 1]
    let refused: [Predicate<Vehicle>] = [
      #Predicate { $0.load.flatMap { $0 / $0 } == nil },
      #Predicate { $0.load.flatMap { $0 / $0 } != $0.load },
      #Predicate { ($0.load.flatMap { $0 / $0 } ?? 1) > 0 },
      #Predicate { $0.load.flatMap { $0 / $0 }.flatMap { $0 > 0 } == false },
      #Predicate { $0.seats.flatMap { 6 / $0 } == nil },
      #Predicate { values.contains($0.load.flatMap { $0 / $0 }) },
    ]
    for predicate in refused { _ = fleet.refusal(predicate) }
  }

  @Test func `SQL takes nil for equal to nil and to nothing else`() throws {
    let missing: Int? = nil
    let three: Int? = 3
    try VehicleFleet().check([
      #Predicate { $0.seats == nil },
      #Predicate { $0.seats != nil },
      #Predicate { $0.seats == 3 },
      #Predicate { $0.seats != 3 },
      #Predicate { !($0.seats == 3) },
      #Predicate { $0.seats == missing },
      #Predicate { $0.seats != missing },
      #Predicate { $0.seats == three },
      #Predicate { $0.label == nil || $0.seats == nil },
      #Predicate { !($0.label == nil && $0.seats == nil) },
      #Predicate { $0.seats != nil && $0.seats! > 2 },
      #Predicate { $0.seats == nil || !($0.seats! > 2) },
      #Predicate { ($0.seats ?? 9) > 4 },
      #Predicate { !(($0.seats ?? 9) > 4) },
      #Predicate { if let seats = $0.seats { seats > 2 } else { false } },
      #Predicate { if let seats = $0.seats { seats > 2 } else { true } },
      #Predicate { $0.seats.flatMap { $0 > 2 } == nil },
      #Predicate { $0.seats.flatMap { $0 > 2 } == true },
      #Predicate { $0.seats.flatMap { $0 > 2 } != true },
      #Predicate { ($0.load ?? 0) > 0.5 },
      #Predicate { $0.load == 0.5 },
      #Predicate { $0.sold == nil },
    ])
  }

  @Test func `SQL evaluates booleans and conditions as the predicate does in memory`() throws {
    try VehicleFleet().check([
      #Predicate { $0.isNew },
      #Predicate { !$0.isNew },
      #Predicate { $0.isNew == false },
      #Predicate { $0.isSold == true },
      #Predicate { $0.isSold != true },
      #Predicate { !($0.isSold == true) },
      #Predicate { $0.isSold ?? false },
      #Predicate { !($0.isSold ?? true) },
      #Predicate { $0.isNew ? $0.power > 3 : $0.power < 3 },
      #Predicate { ($0.isNew ? $0.power : $0.seats ?? 0) > 3 },
      #Predicate { ($0.power > 3) == ($0.weight > 1) },
      #Predicate { ($0.power > 3) != $0.isNew },
      #Predicate { ($0.seats == nil) == $0.isNew },
    ])
  }

  @Test func `SQL compares enums, dates, identifiers, decimals and data as in memory`() throws {
    let (kind, fuel) = (Vehicle.Kind.van, Vehicle.Fuel.diesel)
    let moment = VehicleFleet.moment
    let serial = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2))
    let fleet = try VehicleFleet()
    let known = fleet.vehicles[3].objectID
    let (price, seven) = (Decimal(9), Data([7]))
    let dearest = try #require(fleet.vehicles.first).price
    try fleet.check([
      #Predicate { $0.kind == kind },
      #Predicate { $0.kind != kind },
      #Predicate { $0.fuel == fuel },
      #Predicate { $0.fuel != fuel },
      #Predicate { $0.built < moment },
      #Predicate { $0.built == moment },
      #Predicate { $0.sold == moment },
      #Predicate { ($0.sold ?? moment) >= moment },
      #Predicate { $0.sold != nil && $0.built < $0.sold! },
      #Predicate { $0.built == ($0.sold ?? moment) },
      #Predicate { $0.serial == serial },
      #Predicate { $0.serial < serial },
      #Predicate { $0.objectID == known },
      #Predicate { $0.objectID != known },
      #Predicate { $0.price > price },
      #Predicate { !($0.price <= price) },
      #Predicate { $0.price == dearest },
      #Predicate { $0.photo == seven },
      #Predicate { $0.photo.isEmpty },
      #Predicate { $0.photo.count > 1 },
    ])
  }

  @Test func `SQL compares texts by characters as in memory`() throws {
    let part = "e\u{301}"
    let (empty, nul) = ("", VehicleFleet.nul)
    try VehicleFleet().check([
      #Predicate { $0.name == "Audi" },
      #Predicate { $0.name != "Audi" },
      #Predicate { $0.name < "a" },
      #Predicate { $0.name >= "audi" },
      #Predicate { $0.name.isEmpty },
      #Predicate { !$0.name.isEmpty },
      #Predicate { $0.name.count > 3 },
      #Predicate { $0.name.contains("ud") },
      #Predicate { $0.isNew == $0.name.contains("ud") },
      #Predicate { $0.name.starts(with: "A") != $0.isNew },
      #Predicate { $0.name.contains("%_") },
      #Predicate { $0.name.contains(nul) },
      #Predicate { $0.name.starts(with: "A") },
      #Predicate { !$0.name.starts(with: "A") },
      #Predicate { ($0.label ?? "e").contains("e") },
      #Predicate { ($0.label ?? "").contains("\u{E9}") },
      #Predicate { ($0.label ?? "").contains(part) },
      #Predicate { ($0.label ?? "").contains("\n") },
      #Predicate { ($0.label ?? "").contains("👩") },
      #Predicate { ($0.label ?? "").starts(with: "caf\u{E9}") },
      #Predicate { ($0.label ?? "").starts(with: "e") },
      #Predicate { ($0.label ?? "").count == 1 },
      #Predicate { $0.label?.count == 3 },
      #Predicate { $0.label?.isEmpty == true },
      #Predicate { $0.label?.isEmpty != true },
      #Predicate { $0.label?.contains("e") ?? false },
      #Predicate { !($0.label?.contains("e") ?? false) },
      #Predicate { $0.label?.starts(with: "C") == nil },
      #Predicate { $0.label?.contains(empty) ?? false },
      #Predicate { $0.label != nil && $0.label!.contains($0.name) },
    ])
    #if canImport(Darwin)
    // On Linux Foundation has no such predicate.
    try VehicleFleet().check([
      #Predicate { $0.label?.localizedStandardContains("E") == nil },
      #Predicate { $0.label?.localizedStandardContains($0.name) == nil },
    ])
    #endif
  }

  @Test(
    .sqliteOnly(
      "a server refuses these functions by name, because it folds letters otherwise than Swift"
    )
  )
  func `SQL compares texts whatever their case as in memory`() throws {
    try VehicleFleet().check([
      #Predicate { $0.name.caseInsensitiveCompare("AUDI").rawValue == 0 },
      #Predicate { $0.name.caseInsensitiveCompare("ÄRGER").rawValue == 0 },
      #Predicate { $0.name.caseInsensitiveCompare("SS").rawValue == 0 },
      #Predicate { $0.name.caseInsensitiveCompare("b").rawValue < 0 },
      #Predicate { $0.name.localizedCompare("b").rawValue > 0 },
      #Predicate { $0.name.localizedStandardContains("arg") },
      #Predicate { !$0.name.localizedStandardContains("A") },
      #Predicate { ($0.label ?? "").localizedStandardContains("CAFE") },
    ])
  }

  @Test func `SQL looks into lists and ranges of captured values as in memory`() throws {
    let powers = [1, 2, 3, 3, 11]
    let names: Set<String> = ["Audi", "50%_x", "", "a\(VehicleFleet.nul)b"]
    let (seats, present): ([Int?], [Int?]) = ([nil, 3], [2, 4])
    let (weights, kinds) = ([0.5, -1], [Vehicle.Kind.car, .bus])
    let serials = (0..<3).map { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0)) }
    let (half, open, from) = (1..<4, 2...7, 3...)
    let moments = [VehicleFleet.moment, VehicleFleet.moment + 1]
    let starts = ["A", "5"]
    try VehicleFleet().check([
      #Predicate { powers.contains($0.power) },
      #Predicate { !powers.contains($0.power) },
      #Predicate { [4].contains($0.power) },
      #Predicate { names.contains($0.name) },
      #Predicate { seats.contains($0.seats) },
      #Predicate { !seats.contains($0.seats) },
      #Predicate { [1, 2].contains($0.seats ?? 2) },
      #Predicate { present.contains($0.seats) },
      #Predicate { !present.contains($0.seats) },
      #Predicate { weights.contains($0.weight) },
      #Predicate { kinds.contains($0.kind) },
      #Predicate { serials.contains($0.serial) },
      #Predicate { moments.contains($0.built) },
      #Predicate { half.contains($0.power) },
      #Predicate { open.contains($0.power) },
      #Predicate { from.contains($0.power) },
      #Predicate { (1...5).contains($0.power) },
      #Predicate { !(1..<5).contains($0.power) },
      #Predicate { ($0.power...20).contains(5) },
      #Predicate { (0.0...1.5).contains($0.weight) },
      #Predicate { vehicle in starts.contains { vehicle.name.starts(with: $0) } },
      #Predicate { vehicle in starts.allSatisfy { !vehicle.name.starts(with: $0) } },
      #Predicate { $0.power > powers.max()! - 5 },
      #Predicate { $0.power > powers.filter { $0 > 2 }.count },
    ])
  }
}
