import Foundation
import GRDB

/// A sample as most users of GRDB write one: everything by Codable.
struct GRDBSample: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Sample"

  let objectID: UUID
  var name: String
  var color: String?
  var power: Int
  var weight: Double
  var year: Int

  init(_ values: SampleValues) {
    objectID = values.objectID.uuid
    name = values.name
    color = values.color
    power = values.power
    weight = values.weight
    year = values.year
  }
}

/// GRDB's works on samples, with Codable records.
final class GRDBSamples: SampleSubject {
  private var objects: [GRDBSample] = []
  private var fetched: [GRDBSample] = []
  private var checksum = Checksum()
  private let pool: DatabasePool

  init(directory: String) throws {
    pool = try GRDBFile.open(directory, "grdb", schema: Schema.samples(sealed: false))
  }

  func make(_ values: [SampleValues]) {
    objects = values.map { GRDBSample($0) }
  }

  func takeChecksum() -> Checksum {
    for object in fetched { add(object) }
    fetched = []
    defer { checksum = Checksum() }
    return checksum
  }

  func insert() throws {
    try pool.write { database in
      for object in objects { try object.insert(database) }
    }
  }

  func fetchAll() throws {
    fetched = try pool.read { try GRDBSample.fetchAll($0) }
  }

  func fetch(_ identifiers: [Identifier]) throws {
    for identifier in identifiers {
      if let object = try pool.read({ try GRDBSample.fetchOne($0, key: identifier.uuid) }) {
        add(object)
      }
    }
  }

  func update() throws {
    try pool.write { database in
      for index in objects.indices {
        objects[index].power += 1
        try objects[index].update(database, columns: ["power"])
      }
    }
  }

  private func add(_ object: GRDBSample) {
    checksum.add(
      power: object.power,
      color: object.color,
      name: object.name,
      vin: nil,
      plate: nil
    )
  }
}
