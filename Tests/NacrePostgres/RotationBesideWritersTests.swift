#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import NacreUpkeep
import Synchronization
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Rotations while other stores write, whatever isolation the server's sessions have by themselves.
@Suite struct RotationBesideWritersTests {
  private let directory: TemporaryDirectory
  private let url: String

  init() throws {
    directory = try TemporaryDirectory()
    url = try TestPlace.newSchema()
  }

  /// Opens the store with sessions that have a default isolation level.
  private func open(_ level: String) throws -> Store {
    let escaped = level.replacing(" ", with: "%5C%20")
    return try Store.open(
      url + "%20-cdefault_transaction_isolation%3D" + escaped,
      unlock: .keyFile(directory.file("store.key"), createIfMissing: true),
      options: .patient
    )
  }

  private static func car(_ name: String) -> Car {
    let car = Car.create()
    (car.name, car.vin) = (name, "VIN " + name)
    return car
  }

  @Test(arguments: ["read committed", "repeatable read", "serializable"])
  func `three stores write while a fourth changes the keys again and again`(level: String) throws {
    let rotator = try open(level)
    try rotator.save([Self.car("first")])
    let isOver = Atomic(false)
    let saved = Atomic(1)
    let writers = try (0..<3).map { number in
      let store = try open(level)
      return OwnThread {
        while !isOver.load(ordering: .relaxed) {
          let car = Self.car("\(number) \(saved.add(1, ordering: .relaxed).newValue)")
          try store.write(retries: 5) { (_) throws in try car.save() }
        }
      }
    }
    var options = RotationOptions.patient
    options.batchSize = 10
    for _ in 0..<4 { #expect(try rotator.rotate(options).outcome == .finished) }
    isOver.store(true, ordering: .relaxed)
    for writer in writers { try writer.value() }
    try expectAll(saved.load(ordering: .relaxed), level)
  }

  /// Checks that every value opens, in a store that knows only the keys that are in force.
  private func expectAll(_ count: Int, _ level: String) throws {
    let store = try open(level)
    let report = try store.verify()
    #expect(report.badCells.isEmpty)
    let cars = try store.read { (_) throws in try Car.fetchAll() }
    #expect(cars.count == count)
    #expect(cars.allSatisfy { $0.vin == "VIN " + $0.name })
  }
}
#endif
