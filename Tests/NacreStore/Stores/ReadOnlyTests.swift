import Foundation
import NacreCore
import NacreOpen
import NacreRecords
import NacreUpkeep
@testable import TestSupport
import Testing

/// Inside of a read nothing is written.
@Suite(.timeLimit(.minutes(10))) struct ReadOnlyTests {
  private let scene: Scene
  private let store: Store
  private let node: Node
  private let student: Student

  init() throws {
    scene = try Scene()
    store = try scene.open {
      ($0.observationInterval, $0.busyTimeout) = (0.01, 0.5)
      $0.entities = [Node.self, Badge.self]
    }
    node = Node.create()
    try store.save([node])
    var student = Student("Ada", age: 7)
    try Table<Student>().in(store).insert(&student)
    self.student = student
  }

  /// Everything that stores something, each of which would succeed outside of a read.
  private var writes: [(name: String, call: () throws -> Void)] {
    let (store, node, student) = (store, node, student)
    let students = Table<Student>().in(store)
    var writes: [(name: String, call: () throws -> Void)] = []
    func add(_ name: String, _ call: @escaping () throws -> Void) { writes.append((name, call)) }
    add("save of a new object") { try Node.create().save() }
    add("save of nothing new") { try node.save() }
    add("delete") { try node.delete() }
    add("store.save") { try store.save([node]) }
    add("deleteAll") { _ = try Node.deleteAll(where: "label = ?", 0) }
    add("truncate") { _ = try Node.truncate() }
    add("updateAll") { _ = try Node.all.updateAll(.set(\.label, to: 4)) }
    add("insert") { _ = try students.insert(contentsOf: [Student("Bob", age: 1)]) }
    add("upsert") { _ = try students.update(student) }
    add("record's delete") { _ = try students.delete(student) }
    add("record's truncate") { _ = try students.truncate() }
    add("write") { try store.write { _ in } }
    add("deferred write") { try store.write(.deferred) { _ in } }
    add("begin") { try store.begin() }
    add("queue") { try StoreQueue(store).sync { _ in } }
    add("SQL") { try store.read { try $0.execute("DELETE FROM Node") } }
    add("import") { _ = try store.importLines { nil } }
    add("rotation") { _ = try store.rotate() }
    add("settings") { try store.setPragmas { $0.busyTimeout = 3 } }
    return writes
  }

  private func expectUntouched() throws {
    #expect(try Node.in(store).fetchAll().map(\.label) == [0])
    #expect(try Table<Student>().in(store).fetchAll() == [student])
    #expect(node.isStored && !node.hasChanges)
  }

  @Test func `a save, delete or begin inside of read is refused and stores nothing`() throws {
    for (name, call) in writes {
      expectError(.transactionState) { try store.read { _ in try call() } }
      expectError(.transactionState) {
        try store.read { _ in try store.read { _ in try call() } }
      }
      do { try expectUntouched() } catch { Issue.record("\(name): \(error)") }
    }
    // Who catches it goes on reading, and in the same state.
    let count = try store.read { (_) throws in
      for (_, call) in writes { try? call() }
      return try Node.count()
    }
    #expect(count == 1)
    try expectUntouched()
  }

  @Test func `a save inside of the async read or a live query is refused and stores nothing`()
    async throws
  {
    let store = store
    let error = await #expect(throws: NacreError.self) {
      try await store.read { _ in try Node.create().save() }
    }
    #expect(error?.code == .transactionState)
    let live = await #expect(throws: NacreError.self) {
      for try await _ in store.live({ (_) throws in
        try Node.create().save()
        return try Node.count()
      }) {
        Issue.record("a live query has stored something")
        break
      }
    }
    #expect(live?.code == .transactionState)
    try expectUntouched()
  }

  @Test func `a read inside of a write is a part of it, and may write`() throws {
    try store.write { _ in
      try Node.create().save()
      try store.read { (_) throws in
        #expect(try Node.count() == 2)
        try Node.create().save()
        try store.write { _ in try Node.create().save() }
      }
    }
    #expect(try Node.in(store).count() == 4)
    try store.begin()
    try store.read { _ in try Node.create().save() }
    try store.commit()
    #expect(try Node.in(store).count() == 5)
  }

  @Test func `the tables of a class and a record are made on their first use inside of read`()
    throws
  {
    let fresh = try Scene()
    let store = try fresh.open()
    try store.read { (_) throws in
      #expect(try Node.count() == 0)
      #expect(try Table<Student>().count() == 0)
      #expect(try Car.fetchAll().isEmpty)
      let cars = try Car.cursor()
      #expect(try cars.next() == nil)
    }
    try store.save([Node.create()])
    #expect(try Node.in(store).count() == 1)
  }

  @Test func `saves in a cursor's loop outside of a read are stored`() throws {
    try store.save((0..<600).map { _ in Node.create() })
    let nodes = try Node.in(store).cursor()
    var count = 0
    while let node = try nodes.next() {
      node.label = 9
      try node.save()
      count += 1
    }
    #expect(count == 601)
    #expect(try Node.where("label = 9").in(store).count() == 601)
    let students = Table<Student>().in(store)
    let cursor = try students.cursor()
    while var each = try cursor.next() {
      each.age = 8
      try students.update(each)
    }
    #expect(try students.fetchAll().map(\.age) == [8])
  }

  @Test func `another store is written inside of a read`() throws {
    let other = try Scene()
    let second = try other.open()
    try store.read { (_) throws in
      try second.save([Node.create()])
      try second.write { _ in try Node.create().save() }
    }
    #expect(try Node.in(second).count() == 2)
    try expectUntouched()
  }
}
