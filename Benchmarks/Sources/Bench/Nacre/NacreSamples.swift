import NacreCore

extension Sample {
  static func make(_ values: SampleValues) -> Sample {
    let sample = Sample.create(objectID: values.objectID.uuid)
    sample.name = values.name
    sample.color = values.color
    sample.power = values.power
    sample.weight = values.weight
    sample.year = values.year
    return sample
  }

  fileprivate func add(to checksum: inout Checksum) {
    checksum.add(power: power, color: color, name: name, vin: nil, plate: nil)
  }
}

/// Nacre's works on samples of five plain columns.
final class NacreSamples: SampleSubject {
  private var objects: [Sample] = []
  private var fetched: [Sample] = []
  private var checksum = Checksum()
  private let store: Store

  init(directory: String) throws {
    store = try NacreFile.open(
      directory,
      Sample.self,
      sealed: false,
      schema: Schema.samples(sealed: false)
    )
  }

  deinit { try? store.close() }

  func make(_ values: [SampleValues]) {
    objects = values.map { Sample.make($0) }
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

  func fetchAll() throws { fetched = try Sample.fetchAll() }

  func fetch(_ identifiers: [Identifier]) throws {
    for identifier in identifiers {
      try Sample.fetch(id: identifier.uuid)?.add(to: &checksum)
    }
  }

  func update() throws {
    try store.write { _ in
      for object in objects {
        object.power += 1
        try object.save()
      }
    }
  }
}
