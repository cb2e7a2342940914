import GRDB

/// The same struct, mapped by hand.
struct GRDBRecord: FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "BenchRecord"

  var id: Int64?
  var code: String
  var power: Int
  var weight: Double
  var color: String?

  init(_ record: BenchRecord) {
    code = record.code
    power = record.power
    weight = record.weight
    color = record.color
  }

  init(row: Row) {
    id = row[0]
    code = row[1]
    power = row[2]
    weight = row[3]
    color = row[4]
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["code"] = code
    container["power"] = power
    container["weight"] = weight
    container["color"] = color
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
