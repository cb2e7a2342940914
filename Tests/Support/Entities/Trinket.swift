import Foundation
import NacreCore

/// The properties of SQPersist's example check.
final class Trinket: Entity {
  var text: String? { didSet { entityState.markChanged(0) } }
  var number: Double? { didSet { entityState.markChanged(1) } }
  var decimal: Decimal? { didSet { entityState.markChanged(2) } }
  var date: Date? { didSet { entityState.markChanged(3) } }
  var data: Data? { didSet { entityState.markChanged(4) } }
  var image: PNGImage? { didSet { entityState.markChanged(5) } }
  var url: URL? { didSet { entityState.markChanged(6) } }
  var int: Int32 = 0 { didSet { entityState.markChanged(7) } }
  var double = 0.0 { didSet { entityState.markChanged(8) } }
  var long = 0 { didSet { entityState.markChanged(9) } }
  var longLong: Int64 = 0 { didSet { entityState.markChanged(10) } }
  var short: Int16 = 0 { didSet { entityState.markChanged(11) } }
  var float: Float = 0 { didSet { entityState.markChanged(12) } }
  var flag = false { didSet { entityState.markChanged(13) } }
  var amount = 13 { didSet { entityState.markChanged(14) } }
  /// What `@Transient` makes: no column.
  var ignored: String?
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    text = try row.read(at: 0)
    number = try row.read(at: 1)
    decimal = try row.read(at: 2)
    date = try row.read(dateAs: .integer, at: 3)
    data = try row.read(at: 4)
    image = try row.read(at: 5)
    url = try row.read(at: 6)
    int = try row.read(at: 7)
    double = try row.read(at: 8)
    long = try row.read(at: 9)
    longLong = try row.read(at: 10)
    short = try row.read(at: 11)
    float = try row.read(at: 12)
    flag = try row.read(at: 13)
    amount = try row.read(at: 14)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(text, at: 0)
    try row.bind(number, at: 1)
    try row.bind(decimal, at: 2)
    try row.bind(date: date, as: .integer, at: 3)
    try row.bind(data, at: 4)
    try row.bind(image, at: 5)
    try row.bind(url, at: 6)
    try row.bind(int, at: 7)
    try row.bind(double, at: 8)
    try row.bind(long, at: 9)
    try row.bind(longLong, at: 10)
    try row.bind(short, at: 11)
    try row.bind(float, at: 12)
    try row.bind(flag, at: 13)
    try row.bind(amount, at: 14)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Trinket.self, name: "Trinket")
    schema.add("text", \Trinket.text)
    schema.add("number", \Trinket.number)
    schema.add("decimal", \Trinket.decimal)
    schema.add("date", \Trinket.date, column: ColumnOptions(dates: .integer))
    schema.add("data", \Trinket.data)
    schema.add("image", \Trinket.image)
    schema.add("url", \Trinket.url)
    schema.add("int", \Trinket.int)
    schema.add("double", \Trinket.double)
    schema.add("long", \Trinket.long)
    schema.add("longLong", \Trinket.longLong)
    schema.add("short", \Trinket.short)
    schema.add("float", \Trinket.float)
    schema.add("flag", \Trinket.flag)
    schema.add("amount", \Trinket.amount)
    return schema.build()
  }()
}
