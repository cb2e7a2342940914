import NacreCore
import NacreUpkeep

extension SealedSample {
  fileprivate static func make(_ values: SampleValues) -> SealedSample {
    let sample = SealedSample.create(objectID: values.objectID.uuid)
    sample.name = values.name
    sample.color = values.color
    sample.power = values.power
    sample.weight = values.weight
    sample.year = values.year
    sample.vin = values.vin
    sample.plate = values.plate
    return sample
  }

  fileprivate func add(to checksum: inout Checksum) {
    checksum.add(power: power, color: color, name: name, vin: vin, plate: plate)
  }
}

/// Nacre's works on samples of five plain and two sealed columns.
final class NacreSealedSamples: SampleSubject {
  private var objects: [SealedSample] = []
  private var vins: [String] = []
  private var fetched: [SealedSample] = []
  private var checksum = Checksum()
  private let store: Store

  init(directory: String) throws {
    store = try NacreFile.open(
      directory,
      SealedSample.self,
      sealed: true,
      schema: Schema.samples(sealed: true)
    )
  }

  deinit { try? store.close() }

  func make(_ values: [SampleValues]) {
    objects = values.map { SealedSample.make($0) }
    vins = values.map(\.nextVIN)
  }

  func takeChecksum() -> Checksum {
    for object in fetched { object.add(to: &checksum) }
    fetched = []
    defer { checksum = Checksum() }
    return checksum
  }

  func insert() throws {
    try store.write { _ in
      for object in objects { try object.save() }
    }
  }

  func fetchAll() throws { fetched = try SealedSample.fetchAll() }

  func fetch(_ identifiers: [Identifier]) throws {
    for identifier in identifiers {
      try SealedSample.fetch(id: identifier.uuid)?.add(to: &checksum)
    }
  }

  func update() throws {
    try store.write { _ in
      for index in objects.indices {
        objects[index].vin = vins[index]
        try objects[index].save()
      }
    }
  }

  /// The whole of it: every value read back, a second scan, the log emptied, the old key disabled.
  func rotate() throws {
    var options = RotationOptions()
    options.purposes = [.field]
    let report = try store.rotate(options)
    if report.outcome != .finished {
      throw RoundError(description: "the rotation ended as \(report.outcome)")
    }
  }
}
