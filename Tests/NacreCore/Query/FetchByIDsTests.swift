import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Objects by several identifiers.
@Suite struct FetchByIDsTests {
  private let scene: Scene
  private let store: Store
  private let nodes: [Node]

  init() throws {
    scene = try Scene()
    store = try scene.open()
    nodes = (0..<5).map { label in
      let node = Node.create()
      node.label = label
      node.next = Node.create()
      return node
    }
    for node in nodes { try scene.save(node, in: store) }
  }

  @Test func `objects are found by identifiers in their order, and without those of none`() throws {
    let ids = [nodes[3].objectID, UUID(), nodes[0].objectID, nodes[4].objectID, nodes[0].objectID]
    let found = try store.read { _ in try Node.fetch(ids: ids) }
    #expect(found.map(\.label) == [3, 0, 4, 0])
    #expect(found[1] === found[3] && found[1] !== nodes[0])
    #expect(found.allSatisfy { $0.next != nil })
    #expect(try store.read { _ in try Node.fetch(ids: []) }.isEmpty)
    #expect(try store.read { _ in try Node.fetch(ids: Set(nodes.map(\.objectID))) }.count == 5)
    let many = (0..<40_000).map { _ in UUID() } + [nodes[2].objectID]
    #expect(try store.read { _ in try Node.fetch(ids: many) }.map(\.label) == [2])
  }

  @Test func `an object that has a child of its own class is found by a statement`() throws {
    let sql = "SELECT \"objectID\" FROM \"Node\" WHERE label = 3"
    let found = try store.read { _ in try Node.find(sql: sql) }
    #expect(found.first?.object.next?.objectID == nodes[3].next?.objectID)
  }

  @Test func `links are loaded with objects that are found by identifiers`() throws {
    let pupil = Pupil.create()
    let tutor = Tutor.create()
    pupil.tutor = Link(tutor)
    try scene.save(pupil, in: store)
    let found = try store.read { _ in try Pupil.fetch(ids: [pupil.objectID], with: \.tutor) }
    #expect(found.first?.tutor?.loaded != nil)
    let plain = try store.read { _ in try Pupil.fetch(ids: [pupil.objectID]) }
    #expect(plain.count == 1 && plain[0].tutor?.loaded == nil)
  }

  @Test func `objects are found by identifiers asynchronously`() async throws {
    // No other test has objects of this class, so that they are looked for in this store.
    let scene = try Scene("slips.db")
    let store = try scene.open { $0.entities = [Slip.self] }
    let slips = [Slip.create(), Slip.create()]
    for (number, slip) in slips.enumerated() {
      slip.number = number
      try await slip.save()
    }
    let ids = [slips[1].objectID, UUID(), slips[0].objectID]
    let numbers = try await Slip.fetch(ids: ids).map(\.number)
    #expect(numbers == [1, 0])
    try await store.close()
  }
}

final class Slip: Entity {
  var number = 0 { didSet { entityState.markChanged(0) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    number = try row.read(at: 0)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws { try row.bind(number, at: 0) }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Slip.self, name: "Slip")
    schema.add("number", \Slip.number)
    return schema.build()
  }()
}
