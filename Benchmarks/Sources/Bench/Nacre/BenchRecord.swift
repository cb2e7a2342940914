import NacreCore
import NacreRecords

/// A struct in a table of its own, with a key that the database makes and another that is unique.
struct BenchRecord: Record {
  var id: Int64?
  var code = ""
  var power = 0
  var weight = 0.0
  var color: String?

  static let columns: [RecordColumn<BenchRecord>] = [
    .key(\.id, "id"), .column(\.code, "code", unique: true), .column(\.power, "power"),
    .column(\.weight, "weight"), .column(\.color, "color"),
  ]
}
