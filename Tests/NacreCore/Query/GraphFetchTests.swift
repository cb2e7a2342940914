import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// The children that a fetch loads for many owners at once, by a walk through their table or by a
/// search for each.
@Suite struct GraphFetchTests {
  private let scene: Scene
  private let store: Store
  /// What the depots hold, by the depots' numbers.
  private let contents: [Contents]

  private struct Contents: Equatable {
    let depot: UUID
    let stamp: UUID?
    let parcels: [UUID]

    init(_ depot: Depot) {
      self.depot = depot.objectID
      stamp = depot.stamp?.objectID
      parcels = depot.parcels.map(\.objectID)
    }
  }

  init() throws {
    scene = try Scene()
    store = try scene.open()
    // Three depots share a stamp, and the last parcel of each depot is the first of the next.
    let stamps = (0..<100).map { _ in Stamp.create() }
    let parcels = (0..<901).map { _ in Parcel.create() }.shuffled()
    let depots = (0..<300).map { number in
      let depot = Depot.create()
      depot.number = number
      depot.stamp = number % 10 == 9 ? nil : stamps[number / 3]
      depot.parcels =
        number % 10 == 8 ? [] : Array(parcels[(number * 3)...(number * 3 + 3)].reversed())
      return depot
    }
    contents = depots.map(Contents.init)
    try store.write { _ in for depot in depots { try depot.save(cascade: true) } }
  }

  private func fetch(_ condition: String, orderBy order: String = "number") throws -> [Depot] {
    try store.read { _ in try Depot.where(condition).ordered(by: order).fetchAll() }
  }

  @Test(arguments: [
    "1", "number % 2 = 0", "number % 97 < 11", "number % 9 = 0", "number < 31", "number > 260",
    "number = 17", "number IN (0, 299)",
  ])
  func `each owner gets its own children in their order`(_ condition: String) throws {
    let found = try fetch(condition)
    #expect(!found.isEmpty)
    for depot in found { #expect(Contents(depot) == contents[depot.number]) }
    let shuffled = try fetch(condition, orderBy: "(number * 7919) % 307")
    #expect(shuffled.count == found.count)
    for depot in shuffled { #expect(Contents(depot) == contents[depot.number]) }
  }

  @Test(arguments: ["1", "number < 20"])
  func `owners share one instance of each child`(_ condition: String) throws {
    let found = try fetch(condition)
    let expected = contents[..<found.count]
    let stamps = Set(found.compactMap { $0.stamp.map(ObjectIdentifier.init) })
    #expect(stamps.count == Set(expected.compactMap(\.stamp)).count)
    let parcels = Set(found.flatMap(\.parcels).map(ObjectIdentifier.init))
    #expect(parcels.count == Set(expected.flatMap(\.parcels)).count)
  }

  @Test func `a list that holds a child twice has one instance twice`() throws {
    let parcel = Parcel.create()
    let depot = Depot.create()
    depot.number = 1_000
    depot.parcels = [parcel, Parcel.create(), parcel]
    try scene.save(depot, in: store)
    let found = try #require(try fetch("number = 1000").first)
    #expect(found.parcels.count == 3 && found.parcels[0] === found.parcels[2])
    #expect(found.parcels[0] !== found.parcels[1])
  }

  /// The one letter is read by a search for each object, the forty by a walk through the tables.
  @Test(arguments: [1, 40])
  func `properties and levels that lead to one row share its instance`(_ count: Int) throws {
    let stamp = Stamp.create()
    let letters = (0..<count).map { number in
      let letter = Letter.create()
      letter.number = number
      (letter.front, letter.back) = (stamp, stamp)
      letter.spares = [stamp]
      return letter
    }
    // The answer to each letter is one of the letters that the query asks for.
    for (letter, answer) in zip(letters, letters.dropFirst()) { letter.answer = answer }
    try store.write { _ in for letter in letters { try letter.save(cascade: true) } }
    let found = try store.read { _ in try Letter.fetchAll(orderBy: "number") }
    #expect(found.map(\.number) == Array(0..<count))
    let front = try #require(found.first?.front)
    #expect(found.allSatisfy { $0.front === front && $0.back === front })
    #expect(found.allSatisfy { $0.spares.count == 1 && $0.spares.first === front })
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.answer === $1 })
  }

  /// Somebody who writes to the file leaves rows out, and adds rows whose keys are no identifiers.
  @Test func `rows that are missing or have other keys change nothing else`() throws {
    let gone = contents[12].parcels[1]
    try scene.edit("DELETE FROM \"Parcel\" WHERE \"objectID\" = ?", .blob(Data(bytes(gone))))
    // A server's keys are always identifiers.
    if !TestPlace.isOnServer { try insertOtherKeys(beside: gone) }
    let found = try fetch("1")
    #expect(found.count == contents.count)
    for depot in found {
      #expect(depot.parcels.map(\.objectID) == contents[depot.number].parcels.filter { $0 != gone })
    }
  }

  private func insertOtherKeys(beside gone: UUID) throws {
    try scene.edit(
      "INSERT INTO \"Parcel\" (\"objectID\", title) VALUES (x'00', ''), (?, '')",
      .blob(Data(bytes(gone) + [0]))
    )
    let depot = bytes(contents[3].depot)
    try scene.edit(
      "INSERT INTO \"Depot_parcels\" (owner, position, child) VALUES (?, 0, x'00'), (?, 90, x'00')",
      .blob(Data(depot + [0])),
      .blob(Data(depot))
    )
  }

  private func bytes(_ id: UUID) -> [UInt8] { withUnsafeBytes(of: id.uuid) { Array($0) } }
}

/// An owner whose children are met over one property each.
private final class Depot: Entity {
  var number = 0 { didSet { entityState.markChanged(0) } }
  var stamp: Stamp? { didSet { entityState.markChanged(1) } }
  var parcels: [Parcel] = [] { didSet { entityState.markChanged(2) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    number = try row.read(at: 0)
    stamp = try row.read(at: 1)
    parcels = try row.read(at: 2)
    entityState = row.entityState()
  }

  deinit {
    GraphRelease.take(&stamp)
    GraphRelease.take(&parcels)
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(number, at: 0)
    try row.bind(stamp, at: 1)
    try row.bind(parcels, at: 2)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(stamp, at: 1)
    walk.visit(parcels, at: 2)
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Depot.self, name: "Depot")
    schema.add("number", \Depot.number)
    schema.add("stamp", \Depot.stamp)
    schema.add("parcels", \Depot.parcels)
    return schema.build()
  }()
}

private final class Stamp: Entity {
  var text = "" { didSet { entityState.markChanged(0) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    text = try row.read(at: 0)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws { try row.bind(text, at: 0) }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Stamp.self, name: "Stamp")
    schema.add("text", \Stamp.text)
    return schema.build()
  }()
}

private final class Parcel: Entity {
  var title = "" { didSet { entityState.markChanged(0) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    title = try row.read(at: 0)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws { try row.bind(title, at: 0) }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Parcel.self, name: "Parcel")
    schema.add("title", \Parcel.title)
    return schema.build()
  }()
}

/// An owner that leads to one class over several properties, and to its own.
private final class Letter: Entity {
  var number = 0 { didSet { entityState.markChanged(0) } }
  var front: Stamp? { didSet { entityState.markChanged(1) } }
  var back: Stamp? { didSet { entityState.markChanged(2) } }
  var answer: Letter? { didSet { entityState.markChanged(3) } }
  var spares: [Stamp] = [] { didSet { entityState.markChanged(4) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    number = try row.read(at: 0)
    front = try row.read(at: 1)
    back = try row.read(at: 2)
    answer = try row.read(at: 3)
    spares = try row.read(at: 4)
    entityState = row.entityState()
  }

  deinit {
    GraphRelease.take(&front)
    GraphRelease.take(&back)
    GraphRelease.take(&answer)
    GraphRelease.take(&spares)
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(number, at: 0)
    try row.bind(front, at: 1)
    try row.bind(back, at: 2)
    try row.bind(answer, at: 3)
    try row.bind(spares, at: 4)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(front, at: 1)
    walk.visit(back, at: 2)
    walk.visit(answer, at: 3)
    walk.visit(spares, at: 4)
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Letter.self, name: "Letter")
    schema.add("number", \Letter.number)
    schema.add("front", \Letter.front)
    schema.add("back", \Letter.back)
    schema.add("answer", \Letter.answer)
    schema.add("spares", \Letter.spares)
    return schema.build()
  }()
}
