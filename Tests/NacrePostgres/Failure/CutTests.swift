#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Sessions whose connection is cut at every eighth of their messages, or at each of them if NACRE_CUTS is 1.
@Suite struct CutTests {
  /// A store, and what happens to its connections.
  private struct Scene {
    let directory: TemporaryDirectory
    let proxy: ServerProxy
    let url: String
    /// The same store without the proxy.
    let direct: Store

    init() throws {
      (directory, proxy) = (try TemporaryDirectory(), try ServerProxy())
      url = try TestPlace.newSchema()
      direct = try Self.open(url, directory)
      // Makes the tables.
      try direct.write { _ in try Self.car("first").save() }
    }

    /// Opens the store through the proxy.
    func open() throws -> Store { try Self.open(proxy.url(url), directory) }

    private static func open(_ url: String, _ directory: TemporaryDirectory) throws -> Store {
      try Store.open(
        url,
        unlock: .keyFile(directory.file("store.key"), createIfMissing: true),
        options: .patient
      )
    }

    static func car(_ name: String) -> Car {
      let car = Car.create()
      (car.name, car.vin) = (name, "VIN " + name)
      car.wheels = [1, 2].map {
        let wheel = Wheel.create()
        (wheel.size, wheel.note) = ($0, name)
        return wheel
      }
      return car
    }

    /// Returns how often a car is stored, after a check that it is whole.
    func count(_ name: String) throws -> Int {
      try direct.read { (_) throws in
        let cars = try Car.where("name = ?", name).fetchAll()
        for car in cars {
          #expect(car.vin == "VIN " + name)
          #expect(car.wheels.map(\.size) == [1, 2])
        }
        #expect(try Wheel.where("note = ?", name).count() == 2 * cars.count)
        return cars.count
      }
    }
  }

  @Test(arguments: Cut.all)
  func `what was acknowledged is stored, and nothing else, wherever the connection is cut`(
    cut: Cut
  ) throws {
    let scene = try Scene()
    defer { scene.proxy.close() }
    try cut.goThrough(scene.proxy, atLeast: 50, every: 8) { try run(scene, $0, $1, $2) }
    try scene.direct.close()
  }

  /// Saves one car, deletes another and reads; looks what has become of them, and repeats what has failed.
  private func run(_ scene: Scene, _ number: Int, _ begin: () -> Void, _ end: () -> Int) throws {
    let (new, old) = ("new \(number)", "old \(number)")
    try scene.direct.write { _ in try Scene.car(old).save() }
    let store = try scene.open()
    defer { #expect(throws: Never.self) { try store.close() } }
    let car = Scene.car(new)
    let save = { try store.write { _ in try car.save() } }
    let delete = {
      try store.write { _ in try Car.fetchOne(\.name, equals: old)?.delete(cascade: true) }
    }
    let read = { try store.read { _ in try Car.fetchOne(\.name, equals: new)?.wheels.count } }
    begin()
    let (saved, deleted, found) = (
      Result(catching: save), Result(catching: delete), Result(catching: read)
    )
    let cuts = end()
    let codes = [code(saved), code(deleted), code(found)].compactMap(\.self)
    #expect(codes.count <= cuts, "cut at \(number)")
    #expect(
      codes.allSatisfy { [.connectionLost, .cannotOpen].contains($0) },
      "cut at \(number): \(codes)"
    )
    #expect(try scene.count(new) == (code(saved) == nil ? 1 : 0), "cut at \(number)")
    #expect(try scene.count(old) == (code(deleted) == nil ? 0 : 1), "cut at \(number)")
    #expect(car.hasChanges == (code(saved) != nil), "cut at \(number)")
    if case .success(let count) = found { #expect(count == (code(saved) == nil ? 2 : nil)) }
    if code(saved) != nil { try save() }
    if code(deleted) != nil { try delete() }
    #expect(try read() == 2)
    #expect(try scene.count(new) == 1)
    #expect(try scene.count(old) == 0)
  }

  private func code<T>(_ result: Result<T, any Error>) -> NacreError.Code? {
    guard case .failure(let error) = result else { return nil }
    #expect(error is NacreError, "\(error)")
    return (error as? NacreError)?.code ?? .database
  }
}
#endif
