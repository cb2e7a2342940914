import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// A tour whose stops are deleted with it, although notes link to them.
private enum Travel {
  final class Tour: Entity {
    var stops: [Stop] = [] { didSet { entityState.markChanged(0) } }
    var guide: Stop? { didSet { entityState.markChanged(1) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      stops = try row.read(at: 0)
      guide = try row.read(at: 1)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws {
      try row.bind(stops, at: 0)
      try row.bind(guide, at: 1)
    }
    func visitChildren(_ walk: GraphWalk) {
      walk.visit(stops, at: 0)
      walk.visit(guide, at: 1)
    }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Tour.self, name: "Tour")
      let options = RelationshipOptions(delete: .cascadeNullifyingLinks)
      schema.add("stops", \Tour.stops, relationship: options)
      schema.add("guide", \Tour.guide)
      return schema.build()
    }()
  }

  final class Stop: Entity {
    var place: Wheel? { didSet { entityState.markChanged(0) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      place = try row.read(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.bind(place, at: 0) }
    func visitChildren(_ walk: GraphWalk) { walk.visit(place, at: 0) }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Stop.self, name: "Stop")
      schema.add("place", \Stop.place)
      return schema.build()
    }()
  }

  final class Remark: Entity {
    var about: Link<Stop>? { didSet { entityState.markChanged(0) } }
    var others = Links<Stop>() { didSet { entityState.markChanged(1) } }
    var at: Link<Wheel>? { didSet { entityState.markChanged(2) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      about = try row.read(at: 0)
      others = try row.read(at: 1)
      at = try row.read(at: 2)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws {
      try row.bind(about, at: 0)
      try row.bind(others, at: 1)
      try row.bind(at, at: 2)
    }
    func visitChildren(_ walk: GraphWalk) {
      walk.visit(about, at: 0)
      walk.visit(others, at: 1)
      walk.visit(at, at: 2)
    }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Remark.self, name: "Remark")
      schema.add("about", \Remark.about)
      schema.add("others", \Remark.others)
      schema.add("at", \Remark.at)
      return schema.build()
    }()
  }
}

/// Children that a delete takes although links refer to them.
@Suite struct NullifyingTests {
  private let test: TestStore
  private let tour = Travel.Tour.create()
  private let first = Travel.Stop.create()
  private let second = Travel.Stop.create()
  private let remark = Travel.Remark.create()

  init() throws {
    test = try TestStore()
    tour.stops = [first, second]
    remark.about = Link(first)
    remark.others.add(second)
  }

  private func save(_ objects: any Entity...) throws {
    for object in objects {
      object.use(test.store)
      try object.save()
    }
  }

  private func count<E: Entity>(_ type: E.Type) throws -> Int { try E.in(test.store).count() }

  private func stored() throws -> Travel.Remark {
    try #require(try Travel.Remark.in(test.store).fetchOne())
  }

  @Test func `children that links refer to are deleted, and the links become nil`() throws {
    try save(tour, remark)
    let plan = try tour.deletionPlan()
    #expect(plan.description == "Remark: 0 deleted, 1 unlinked\nStop: 2 deleted\nTour: 1 deleted")
    #expect(plan.unlinked.map(\.objectIDs) == [[remark.objectID]] && plan.kept.isEmpty)
    try tour.delete(cascade: true)
    #expect(try count(Travel.Stop.self) == 0)
    #expect(try stored().about == nil)
    #expect(try stored().others.count() == 0)
  }

  @Test func `the links of another relationship still keep their objects`() throws {
    tour.stops = [second]
    tour.guide = first
    try save(tour, remark)
    let plan = try tour.deletionPlan()
    #expect(plan.kept.map(\.objectIDs) == [[first.objectID]])
    try tour.delete(cascade: true)
    #expect(try stored().about?.objectID == first.objectID)
    #expect(try count(Travel.Stop.self) == 1)
  }

  @Test func `a child that another object owns stays, with its links`() throws {
    let other = Travel.Tour.create()
    other.stops = [first]
    try save(tour, other, remark)
    let plan = try tour.deletionPlan()
    #expect(plan.kept.map(\.objectIDs) == [[first.objectID]])
    #expect(plan.deleted.map(\.objectIDs.count) == [1, 1])
    try tour.delete(cascade: true)
    #expect(try stored().about?.objectID == first.objectID)
    #expect(try stored().others.count() == 0)
    let left = try #require(try Travel.Tour.in(test.store).fetchOne())
    #expect(left.objectID == other.objectID && left.stops.map(\.objectID) == [first.objectID])
  }

  @Test func `a child's own children stay if a link refers to them`() throws {
    first.place = Wheel.create()
    second.place = Wheel.create()
    remark.at = first.place.map { Link($0) }
    try save(tour, remark)
    try tour.delete(cascade: true)
    #expect(try count(Travel.Stop.self) == 0)
    #expect(try count(Wheel.self) == 1)
    #expect(try stored().at?.objectID == first.place?.objectID)
  }

  @Test func `without cascade the children stay linked`() throws {
    try save(tour, remark)
    try tour.delete()
    #expect(try count(Travel.Stop.self) == 2)
    #expect(try stored().about?.objectID == first.objectID)
  }

  @Test func `a query that deletes with cascade follows the rule, too`() throws {
    try save(tour, remark)
    #expect(try Travel.Tour.in(test.store).deleteAll(cascade: true) == 1)
    #expect(try count(Travel.Stop.self) == 0)
    #expect(try stored().about == nil)
  }
}
