/// What a subject made of the rows, in one number: equal numbers show that equal work was done.
struct Checksum: Equatable, CustomStringConvertible {
  private(set) var objects = 0
  private(set) var value = 0

  /// Adds a sample or a car.
  ///
  /// The sealed properties count by their length, which a failed opening would change.
  mutating func add(power: Int, color: String?, name: String, vin: String?, plate: String?) {
    objects += 1
    value &+= power &+ name.utf8.count &+ (color?.utf8.count ?? 0)
    value &+= (vin?.utf8.count ?? 0) &+ (plate?.utf8.count ?? 0)
  }

  /// Adds a car's engine.
  mutating func add(cylinders: Int, code: String) {
    objects += 1
    value &+= cylinders &+ code.utf8.count
  }

  /// Adds a wheel at its place, so that a wrong order shows.
  mutating func add(size: Int, brand: String?, place: Int) {
    objects += 1
    value &+= size &* (place + 1) &+ (brand?.utf8.count ?? 0)
  }

  var description: String { "\(objects) objects, sum \(value)" }
}

extension Checksum {
  /// What fetching all of `samples` must give.
  init(_ samples: some Sequence<SampleValues>, sealed: Bool, powerIncrement: Int = 0) {
    for sample in samples {
      add(
        power: sample.power + powerIncrement,
        color: sample.color,
        name: sample.name,
        vin: sealed ? sample.vin : nil,
        plate: sealed ? sample.plate : nil
      )
    }
  }

  /// What fetching all of `graphs` must give.
  init(_ graphs: [GraphValues], sealed: Bool) {
    self.init(graphs.map(\.car), sealed: sealed)
    for graph in graphs {
      add(cylinders: graph.engine.cylinders, code: graph.engine.code)
      for (place, wheel) in graph.wheels.enumerated() {
        add(size: wheel.size, brand: wheel.brand, place: place)
      }
    }
  }
}
