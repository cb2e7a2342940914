import NacreCore
import Testing
@testable import TestSupport

/// An entity for which no other test opens a store.
private final class Choice: Entity {
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
    var schema = EntitySchemaBuilder(Choice.self, name: "Choice")
    schema.add("number", \Choice.number)
    return schema.build()
  }()
}

@Suite struct StoreChoiceTests {
  @Test func `an entity belongs to the store that was opened for it`() throws {
    // Opened first and without a name, it is the default store where no other test has made one.
    let usual = try TestStore()
    let archive = try TestStore { $0.entities = [Choice.self] }
    let first = Choice.create()
    try first.save()
    #expect(try archive.store.read { _ in try Choice.count() } == 1)
    #expect(try Choice.fetch(id: first.objectID) != nil)
    // The store of the block around it comes first, and `use` before both.
    let other = try TestStore()
    #expect(try other.store.read { _ in try Choice.count() } == 0)
    let second = Choice.create()
    second.use(other.store)
    try second.save()
    #expect(try Choice.count() == 1)
    #expect(try other.store.read { _ in try Choice.count() } == 1)
    try archive.store.close()
    try usual.store.close()
  }

  @Test func `a store is found by its name while it is open`() throws {
    let name = "choice-\(UInt64.random(in: 0 ... .max))"
    let test = try TestStore(isSealed: false) { $0.name = name }
    #expect(Store.named(name) === test.store)
    let error = #expect(throws: NacreError.self) {
      _ = try TestStore(isSealed: false) { $0.name = name }
    }
    #expect(error?.code == .cannotOpen)
    try test.store.close()
    #expect(Store.named(name) == nil)
    let again = try TestStore(in: test.directory, isSealed: false) { $0.name = name }
    #expect(Store.named(name) === again.store)
  }

  @Test func `the first store that is opened without a name is the default one`() async {
    // In a process of its own, where no other test has made one.
    await #expect(processExitsWith: .success) {
      let named = try TestStore(isSealed: false) { $0.name = "named" }
      #expect(Store.default == nil)
      let first = try TestStore(isSealed: false)
      let second = try TestStore(isSealed: false)
      #expect(Store.default === first.store)
      try Node.create().save()
      #expect(try first.store.read { _ in try Node.count() } == 1)
      try second.store.makeDefault()
      #expect(try Node.count() == 0)
      try second.store.close()
      #expect(Store.default === first.store)
      let third = try TestStore(isSealed: false)
      try first.store.close()
      #expect(Store.default === third.store)
      try third.store.close()
      #expect(Store.default == nil)
      withExtendedLifetime(named) {}
    }
  }

  private enum Former: RobotForm {
    static var parts: [RobotPart] { [.init("name")] }
  }

  private enum Latter: RobotForm {
    static var parts: [RobotPart] { [.init("name"), .init("model")] }
  }

  @Test func `two stores that are open have settings of their own`() throws {
    let strict = try TestStore { $0.addsMissingColumns = false }
    let lenient = try TestStore()
    for test in [strict, lenient] { try Robot<Former>.store(in: test.store) }
    #expect(try Robot<Latter>.texts("model", in: lenient.store) == [""])
    #expect(throws: NacreError.self) { try Robot<Latter>.use(in: strict.store) }
    #expect(try Robot<Former>.texts("name", in: strict.store) == [""])
  }
}
