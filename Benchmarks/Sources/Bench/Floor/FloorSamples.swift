/// The floor's works on samples of five plain columns.
final class FloorSamples: SampleSubject {
  private var objects: [FloorSample] = []
  private var fetched: [FloorSample] = []
  private var checksum = Checksum()
  private let table: FloorTable<FloorSample>

  init(directory: String) throws {
    table = try FloorTable(
      FloorFile(directory: directory, schema: Schema.samples(sealed: false))
    )
  }

  func make(_ values: [SampleValues]) {
    objects = values.map { FloorSample($0) }
  }

  func takeChecksum() -> Checksum {
    for object in fetched { object.add(to: &checksum) }
    fetched = []
    defer { checksum = Checksum() }
    return checksum
  }

  func insert() throws { try table.insert(objects) }

  func fetchAll() throws { fetched = try table.fetchAll() }

  func fetch(_ identifiers: [Identifier]) throws { checksum = try table.fetch(identifiers) }

  func update() throws { try table.update(objects, vins: []) }
}

/// The floor's works on samples of five plain and two sealed columns.
final class FloorSealedSamples: SampleSubject {
  private var objects: [FloorSealedSample] = []
  private var vins: [String] = []
  private var fetched: [FloorSealedSample] = []
  private var checksum = Checksum()
  private var table: FloorTable<FloorSealedSample>

  init(directory: String) throws {
    table = try FloorTable(
      FloorFile(directory: directory, schema: Schema.samples(sealed: true))
    )
  }

  func make(_ values: [SampleValues]) {
    objects = values.map { FloorSealedSample($0) }
    vins = values.map(\.nextVIN)
  }

  func takeChecksum() -> Checksum {
    for object in fetched { object.add(to: &checksum) }
    fetched = []
    defer { checksum = Checksum() }
    return checksum
  }

  func insert() throws { try table.insert(objects) }

  func fetchAll() throws { fetched = try table.fetchAll() }

  func fetch(_ identifiers: [Identifier]) throws { checksum = try table.fetch(identifiers) }

  func update() throws { try table.update(objects, vins: vins) }

  func rotate() throws { try table.rotate(sealed: ["vin", "plate"]) }
}
