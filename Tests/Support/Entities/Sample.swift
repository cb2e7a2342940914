import Foundation
import NacreCore

/// An entity with one plain property of each storage class.
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
    integer = try row.read(at: 0)
    unsigned = try row.read(at: 1)
    real = try row.read(at: 2)
    text = try row.read(at: 3)
    data = try row.read(at: 4)
    small = try row.read(at: 5)
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
