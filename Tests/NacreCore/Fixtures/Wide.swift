import NacreCore
@testable import TestSupport

/// An entity with so many properties that its two lists share a change bit.
final class Wide: Entity {
  private static let count = 64
  private var firstStorage: [Wheel] = []
  private var secondStorage: [Wheel] = []
  var value = 0
  @exclusivity(unchecked) var entityState = EntityState()
  @exclusivity(unchecked) var entityChildren = FormerChildren()

  var first: [Wheel] {
    get { firstStorage }
    _modify {
      entityChildren.note(firstStorage, at: Self.count, entityState)
      defer { entityState.markChanged(Self.count) }
      yield &firstStorage
    }
  }

  var second: [Wheel] {
    get { secondStorage }
    _modify {
      entityChildren.note(secondStorage, at: Self.count + 1, entityState)
      defer { entityState.markChanged(Self.count + 1) }
      yield &secondStorage
    }
  }

  init() {}

  init(row: RowReader) throws {
    value = try row.read(at: 0)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    for index in 0..<Self.count { try row.bind(value, at: index) }
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(firstStorage, at: Self.count)
    walk.visit(secondStorage, at: Self.count + 1)
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Wide.self, name: "Wide")
    for index in 0..<count { schema.add("value\(index)", \Wide.value) }
    schema.add("first", \Wide.first)
    schema.add("second", \Wide.second)
    schema.attach(\Wide.firstStorage, at: count)
    schema.attach(\Wide.secondStorage, at: count + 1)
    return schema.build()
  }()
}
