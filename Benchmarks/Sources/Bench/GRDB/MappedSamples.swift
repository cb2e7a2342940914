import Foundation
import GRDB

/// A sample mapped by hand, which is the fastest that GRDB's records go.
struct MappedSample: FetchableRecord, PersistableRecord {
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

  /// By position: `SELECT *` gives the columns in the table's order.
  init(row: Row) {
    objectID = row[0]
    name = row[1]
    color = row[2]
    power = row[3]
    weight = row[4]
    year = row[5]
  }

  func encode(to container: inout PersistenceContainer) {
    container["objectID"] = objectID
    container["name"] = name
    container["color"] = color
    container["power"] = power
    container["weight"] = weight
    container["year"] = year
  }
}

/// GRDB's works on samples, with records mapped by hand.
final class MappedSamples: SampleSubject {
  private var objects: [MappedSample] = []
  private var fetched: [MappedSample] = []
  private var checksum = Checksum()
  private let pool: DatabasePool

  init(directory: String) throws {
    pool = try GRDBFile.open(directory, "grdb-mapped", schema: Schema.samples(sealed: false))
  }

  func make(_ values: [SampleValues]) {
    objects = values.map { MappedSample($0) }
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
    fetched = try pool.read { try MappedSample.fetchAll($0) }
  }

  func fetch(_ identifiers: [Identifier]) throws {
    for identifier in identifiers {
      if let object = try pool.read({ try MappedSample.fetchOne($0, key: identifier.uuid) }) {
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

  private func add(_ object: MappedSample) {
    checksum.add(
      power: object.power,
      color: object.color,
      name: object.name,
      vin: nil,
      plate: nil
    )
  }
}
