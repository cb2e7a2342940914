/// What one `Sample` or `Car` holds, before any subject makes its own object of it.
struct SampleValues {
  let objectID: Identifier
  let name: String
  let color: String?
  let power: Int
  let weight: Double
  let year: Int
  let vin: String
  let plate: String
  /// What `update` sets `vin` to where it is sealed.
  let nextVIN: String

  private static let colors = ["red", "white", "black", "silver", "british racing green"]

  /// The values of `count` samples, the same ones in every run.
  static func make(count: Int) -> [SampleValues] {
    var identifiers = IdentifierSequence(seed: 1)
    var random = SeededGenerator(seed: 2)
    return (0..<count).map { index in
      SampleValues(index: index, objectID: identifiers.next(), random: &random)
    }
  }

  init(index: Int, objectID: Identifier, random: inout SeededGenerator) {
    self.objectID = objectID
    name = "Car number \(index)"
    color = random.next() % 4 == 0 ? nil : SampleValues.colors[index % SampleValues.colors.count]
    power = Int(random.next() % 400) + 60
    weight = Double(random.next() % 20_000) / 8
    year = 1950 + Int(random.next() % 75)
    // 17 characters, as every vehicle identification number has.
    vin = "WBA" + String(random.next() % 90_000_000_000_000 + 10_000_000_000_000)
    plate = "AB-\(random.next() % 900 + 100)-CD"
    nextVIN = "VF1" + String(random.next() % 90_000_000_000_000 + 10_000_000_000_000)
  }
}

/// What one graph holds: a car, its engine and its four wheels.
struct GraphValues {
  let car: SampleValues
  let engine: EngineValues
  let wheels: [WheelValues]

  /// Rows that a graph takes: car, engine, four wheels and their four places.
  static let rowCount = 10

  /// The values of `count` graphs, the same ones in every run.
  static func make(count: Int) -> [GraphValues] {
    var identifiers = IdentifierSequence(seed: 3)
    var random = SeededGenerator(seed: 4)
    return (0..<count).map { index in
      GraphValues(
        car: SampleValues(index: index, objectID: identifiers.next(), random: &random),
        engine: EngineValues(
          objectID: identifiers.next(),
          code: "M\(index)",
          cylinders: 4 + index % 5
        ),
        wheels: (0..<4).map { place in
          WheelValues(objectID: identifiers.next(), brand: "Brand \(place)", size: 15 + place)
        }
      )
    }
  }
}

/// What one `Engine` holds.
struct EngineValues {
  let objectID: Identifier
  let code: String
  let cylinders: Int
}

/// What one `Wheel` holds.
struct WheelValues {
  let objectID: Identifier
  let brand: String?
  let size: Int
}
