import Foundation
import NacreCore
import NacreCrypto
import NacreSQLite
import NacreUpkeep
import Testing

/// A store with objects of every kind, whose cells are changed behind its back.
struct Stock {
  let scene: Scene
  let store: Store
  let badges: [Badge]
  let vaults: [Vault]
  let cars: [Car]
  let people: [Person]

  init() throws {
    scene = try Scene()
    store = try scene.open()
    badges = (0..<4).map { index in
      Badge.make("\(index)") {
        $0.plate = index == 3 ? nil : "\(Marker.text)-\(index)"
        $0.email = "Marker\(index)@example.org"
        $0.phone = "+49 \(index)"
        $0.number = index
        $0.hidden = index == 0 ? "hidden marker" : nil
      }
    }
    vaults = (0..<3).map { index in
      let vault = Vault.create()
      vault.secret = "\(Marker.text) \(index)"
      vault.number = Int.max - index
      vault.real = -0.0
      vault.data = Data("MARKER \(index)".utf8)
      vault.note = index == 0 ? nil : Marker.text
      return vault
    }
    people = (0..<3).map { index in
      let person = Person.create()
      person.code = "p\(index)"
      person.name = Marker.text
      person.age = index == 0 ? nil : 40 + index
      return person
    }
    let people = people
    cars = (0..<2).map { index in
      let car = Car.create()
      car.name = "car \(index)"
      car.vin = Marker.text
      car.spare = Wheel.create()
      car.wheels = (0..<4).map { _ in Wheel.create() }
      car.owner = Link(people[index])
      for person in people[index...] { car.drivers.add(person) }
      return car
    }
    let objects: [any Entity] = badges + vaults + people + cars
    try store.write { _ in
      for object in objects { try object.save(cascade: true) }
    }
  }

  // MARK: Cells

  func cell(_ entity: String, _ column: String, _ id: UUID) throws -> Value {
    try scene.edit("SELECT \"\(column)\" FROM \(entity) WHERE \"objectID\" = ?1", id.storedValue)
      .first?.first ?? .null
  }

  func put(_ value: Value, _ entity: String, _ column: String, _ id: UUID) throws {
    try scene.edit(
      "UPDATE \(entity) SET \"\(column)\" = ?1 WHERE \"objectID\" = ?2",
      value,
      id.storedValue
    )
  }

  /// An envelope of any payload, sealed as the store itself would.
  func envelope(_ payload: [UInt8], _ entity: String, _ property: String, _ id: UUID) throws
    -> Value
  {
    let session = RingSession(ring: try store.keys.unlocked())
    let scratch = ScratchBuffer()
    let context = try FieldContext(storeID: store.storeID, entity: entity, property: property)
    return .blob(
      try withExtendedLifetime(scratch) {
        try payload.withUnsafeBytes { payload in
          Data(
            try session.seal(
              payload,
              context: context,
              objectID: ObjectIDBytes(ObjectID(id)),
              suite: nil,
              into: scratch
            )
          )
        }
      }
    )
  }

  /// The id of the key that seals.
  var fieldKey: String {
    get throws { try store.keys.unlocked().primary(.field).id.description }
  }
}

extension Value {
  /// A blob with one bit of a byte changed.
  func flipped(at index: Int) -> Value {
    guard case .blob(var data) = self else { return self }
    data[index] ^= 1
    return .blob(data)
  }

  var bytes: Data {
    if case .blob(let data) = self { data } else { Data() }
  }
}

extension Stock {
  /// Verifies, and expects these bad cells and nothing else.
  func expect(
    _ expected: [BadCell],
    faults: [StoreFault.Kind] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for batchSize in [1, 2, 10_000] {
      var options = VerificationOptions()
      options.batchSize = batchSize
      var told: [BadCell] = []
      let report = try store.verify(options, onBadCell: { told.append($0) })
      #expect(Set(told) == Set(expected), sourceLocation: sourceLocation)
      #expect(told.count == expected.count, sourceLocation: sourceLocation)
      #expect(report.badCells == told, sourceLocation: sourceLocation)
      #expect(report.badCellCount == expected.count, sourceLocation: sourceLocation)
      #expect(
        report.faults.map(\.kind) == faults,
        "\(report.faults)",
        sourceLocation: sourceLocation
      )
      #expect(
        report.isSound == (expected.isEmpty && faults.isEmpty),
        sourceLocation: sourceLocation
      )
      let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
      Marker.expectAbsent(json + "\(told)", sourceLocation: sourceLocation)
    }
  }
}

/// A bad cell that is to be found.
func bad(
  _ entity: String,
  _ property: String,
  _ id: UUID,
  _ fault: BadCell.Fault,
  key: String? = nil
) -> BadCell {
  BadCell(entity: entity, objectID: id, property: property, fault: fault, keyID: key)
}
