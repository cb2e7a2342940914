import Foundation
import NacreCore

/// One plain property of each storage class.
final class Sample: Entity {
  var integer = 0 { didSet { entityState.markChanged(0) } }
  var unsigned: UInt64 = 0 { didSet { entityState.markChanged(1) } }
  var real = 0.0 { didSet { entityState.markChanged(2) } }
  var text = "" { didSet { entityState.markChanged(3) } }
  var data = Data() { didSet { entityState.markChanged(4) } }
  var small: Int8 = 0 { didSet { entityState.markChanged(5) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    try row.read(&integer, at: 0)
    try row.read(&unsigned, at: 1)
    try row.read(&real, at: 2)
    try row.read(&text, at: 3)
    try row.read(&data, at: 4)
    try row.read(&small, at: 5)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(integer, at: 0)
    try row.bind(unsigned, at: 1)
    try row.bind(real, at: 2)
    try row.bind(text, at: 3)
    try row.bind(data, at: 4)
    try row.bind(small, at: 5)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Sample.self, name: "Sample")
    schema.add("integer", \Sample.integer)
    schema.add("unsigned", \Sample.unsigned)
    schema.add("real", \Sample.real)
    schema.add("text", \Sample.text)
    schema.add("data", \Sample.data)
    schema.add("small", \Sample.small)
    return schema.build()
  }()
}
