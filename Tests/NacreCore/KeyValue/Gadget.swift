import Foundation
import NacreCore
@testable import TestSupport

/// A property of each type that a dictionary has to be converted to.
final class Gadget: Entity {
  enum Finish: String, CaseIterable { case matt, glossy }

  struct Size: Codable, Equatable {
    var width = 0
    var height = 0.5
  }

  var name = "" { didSet { entityState.markChanged(0) } }
  var made: Date? { didSet { entityState.markChanged(1) } }
  var page: URL? { didSet { entityState.markChanged(2) } }
  var photo: Data? { didSet { entityState.markChanged(3) } }
  var token: UUID? { didSet { entityState.markChanged(4) } }
  var price: Decimal? { didSet { entityState.markChanged(5) } }
  var isNew = false { didSet { entityState.markChanged(6) } }
  var count: Int16 = 0 { didSet { entityState.markChanged(7) } }
  var weight = 1.5 { didSet { entityState.markChanged(8) } }
  var finish: Finish? { didSet { entityState.markChanged(9) } }
  var size = Size() { didSet { entityState.markChanged(10) } }
  var tags: [String] = [] { didSet { entityState.markChanged(11) } }
  var secret: String? { didSet { entityState.markChanged(12) } }
  var part: Gadget? { didSet { entityState.markChanged(13) } }
  var parts: [Gadget] = [] { didSet { entityState.markChanged(14) } }
  var maker: Link<Person>? { didSet { entityState.markChanged(15) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    name = try row.read(at: 0)
    made = try row.read(at: 1)
    page = try row.read(at: 2)
    photo = try row.read(at: 3)
    token = try row.read(at: 4)
    price = try row.read(at: 5)
    isNew = try row.read(at: 6)
    count = try row.read(at: 7)
    weight = try row.read(at: 8)
    finish = try row.read(at: 9)
    size = try row.read(at: 10)
    tags = try row.read(at: 11)
    secret = try row.open(at: 12)
    part = try row.read(at: 13)
    parts = try row.read(at: 14)
    maker = try row.read(at: 15)
    entityState = row.entityState()
  }

  deinit {
    GraphRelease.take(&part)
    GraphRelease.take(&parts)
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(name, at: 0)
    try row.bind(made, at: 1)
    try row.bind(page, at: 2)
    try row.bind(photo, at: 3)
    try row.bind(token, at: 4)
    try row.bind(price, at: 5)
    try row.bind(isNew, at: 6)
    try row.bind(count, at: 7)
    try row.bind(weight, at: 8)
    try row.bind(finish, at: 9)
    try row.bind(size, at: 10)
    try row.bind(tags, at: 11)
    try row.seal(secret, at: 12)
    try row.bind(part, at: 13)
    try row.bind(parts, at: 14)
    try row.bind(maker, at: 15)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(part, at: 13)
    walk.visit(parts, at: 14)
    walk.visit(maker, at: 15)
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Gadget.self, name: "Gadget")
    schema.add("name", \Gadget.name)
    schema.add("made", \Gadget.made)
    schema.add("page", \Gadget.page)
    schema.add("photo", \Gadget.photo)
    schema.add("token", \Gadget.token)
    schema.add("price", \Gadget.price)
    schema.add("isNew", \Gadget.isNew)
    schema.add("count", \Gadget.count)
    schema.add("weight", \Gadget.weight)
    schema.add("finish", \Gadget.finish)
    schema.add("size", \Gadget.size)
    schema.add("tags", \Gadget.tags)
    schema.add("secret", \Gadget.secret, sealed: SealedOptions())
    schema.add("part", \Gadget.part)
    schema.add("parts", \Gadget.parts)
    schema.add("maker", \Gadget.maker)
    return schema.build()
  }()
}
