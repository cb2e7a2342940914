import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
@testable import TestSupport
import Testing

/// Steps and hooks that get rows with their sealed values opened.
@Suite struct RowChangeTests {
  private typealias Change = @Sendable (inout OpenedRow) throws -> Void

  private let scene: Scene

  init() throws { scene = try Scene() }

  private static let fullName = RobotPart("fullName", sealed: .init(isSearchable: true))

  private enum First: RobotForm {
    static var parts: [RobotPart] { [.init("label"), RowChangeTests.fullName] }
  }

  /// The class of which `fullName` was split; its hook is a test's.
  private enum Split: RobotForm {
    @TaskLocal static var change: Change?

    static var parts: [RobotPart] {
      [
        .init("label"), .init("first", sealed: .init(isSearchable: true)),
        .init("last", .optionalText, sealed: .init(hidesNil: true)), .init("initial"),
        .init("length", .optionalNumber, sealed: .init()),
      ]
    }
    static var version: Int { 2 }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      guard old == 1, let change else { return [] }
      return [.changingRows(of: "Robot", change), "UPDATE Robot SET label = label || '!'"]
    }
  }

  private static let split: Change = { row in
    let name = try row.value("fullName", as: String.self)
    let words = name.split(separator: " ").map { String($0) }
    try row.set("first", to: words[0])
    try row.set("last", to: words.count > 1 ? words[1] : nil)
    try row.set("initial", to: String(words[0].prefix(1)))
    try row.set("length", to: name.count)
  }

  private static let names = ["MARKER-Ada Lovelace", "MARKER-Grace Hopper", "MARKER-Plato"]

  @discardableResult
  private func stored() throws -> Store {
    let store = try scene.open()
    for (index, name) in Self.names.enumerated() {
      try Robot<First>.store(in: store) { robot in
        robot[text: "label"] = "\(index)"
        robot[text: "fullName"] = name
      }
    }
    return store
  }

  private func split(_ store: Store, _ change: @escaping Change) throws {
    try Split.$change.withValue(change) { try Robot<Split>.use(in: store) }
  }

  // MARK: - Hooks

  @Test func `a hook splits a sealed property into others that are sealed`() throws {
    let store = try stored()
    try split(store, Self.split)
    let robots = try store.read { _ in try Robot<Split>.fetchAll() }
      .sorted { $0[text: "label"] < $1[text: "label"] }
    #expect(robots.map { $0[text: "label"] } == ["0!", "1!", "2!"])
    #expect(robots.map { $0[text: "first"] } == ["MARKER-Ada", "MARKER-Grace", "MARKER-Plato"])
    #expect(robots.map { $0[optionalText: "last"] } == ["Lovelace", "Hopper", nil])
    #expect(robots.map { $0[text: "initial"] } == ["M", "M", "M"])
    #expect(robots.map { $0[optionalNumber: "length"] } == Self.names.map(\.count))
    // The indexes too, and no NULL where nil is hidden.
    #expect(try store.verify().isSound)
    #expect(try scene.edit("SELECT count(*) FROM Robot WHERE last IS NULL") == [[.integer(0)]])
    try store.close()
    for file in [scene.path, scene.path + "-wal"] {
      let bytes = (try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data()
      for word in ["MARKER", "Lovelace"] { #expect(bytes.range(of: Data(word.utf8)) == nil) }
    }
  }

  @Test func `an error in a hook's closure rolls the migration back`() throws {
    let store = try stored()
    struct Stop: Error {}
    let count = Shared(0)
    let error = thrown(.migrationFailed, entity: "Robot") {
      try split(store) { row in
        try Self.split(&row)
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number == 3 { throw Stop() }
      }
    }
    #expect(count.withLock { $0 } == 3)
    #expect(error?.cause is Stop)
    #expect(try scene.columns(of: "Robot").contains("first") == false)
    #expect(try Robot<First>.texts("fullName", in: store) == Self.names)
    #expect(try Robot<First>.texts("label", in: store) == ["0", "1", "2"])
  }

  @Test func `a value that its property can't hold is refused, and so is an unknown property`()
    throws
  {
    let store = try stored()
    func code(_ change: @escaping Change) -> NacreError? {
      let error = thrown(.migrationFailed, entity: "Robot") { try split(store, change) }
      return error?.cause as? NacreError
    }
    for (property, value) in [
      ("first", 7), ("first", nil), ("initial", nil), ("length", "seven"), ("length", 0.5),
    ] as [(String, (any StorableValue & Sendable)?)] {
      let error = code { try $0.set(property, to: value) }
      #expect(error?.code == .valueMismatch)
      #expect(error?.property == property && error?.objectID != nil)
    }
    #expect(code { _ = try $0.value("fullName", as: Int.self) }?.code == .valueMismatch)
    for name in ["first__index", "objectID", "surname"] {
      let error = code { try $0.set(name, to: "x") }
      #expect(error?.code == .noSuchProperty && error?.property == name)
      #expect(error?.objectID != nil)
      #expect(code { _ = try $0.value(name, as: String?.self) }?.code == .noSuchProperty)
    }
    #expect(try Robot<First>.texts("fullName", in: store) == Self.names)
  }

  @Test func `a trigger that reads a sealed column is refused in changeRows`() throws {
    let store = try stored()
    try store.write { database in
      try database.execute(
        """
        CREATE TABLE log (name);
        CREATE TRIGGER told AFTER UPDATE OF label ON Robot BEGIN
          INSERT INTO log VALUES (new.fullName);
        END
        """
      )
    }
    try store.close()
    expectError(.sealedCondition, entity: "Robot", property: "fullName") {
      _ = try scene.open { options in
        options.migrator = Migrator(
          .init("1"),
          .init("2") { database in
            try database.changeRows(of: "Robot") { try $0.set("label", to: "changed") }
          }
        )
      }
    }
    #expect(try scene.edit("SELECT count(*) FROM log") == [[.integer(0)]])
  }

  // MARK: - Steps

  @Test func `a step makes a plain column of what is sealed, and changes what is sealed`() throws {
    try stored().close()
    let count = Shared(0)
    let store = try scene.open { options in
      options.migrator = Migrator(
        .init("1"),
        .init("2") { database in
          try database.addColumn("words", to: "Robot", type: .integer)
          let changed = try database.changeRows(of: "Robot") { row in
            let name = try row.value("fullName", as: String.self)
            if name.hasSuffix("Plato") { return }
            try row.set("words", to: name.split(separator: " ").count)
            try row.set("fullName", to: name.uppercased())
            #expect(try row.value("fullName", as: String.self) == name.uppercased())
          }
          count.withLock { $0 = changed }
        }
      )
    }
    #expect(count.withLock { $0 } == 2)
    let expected = Self.names.map { $0.hasSuffix("Plato") ? $0 : $0.uppercased() }
    #expect(try Robot<First>.texts("fullName", in: store) == expected.sorted())
    #expect(
      try scene.edit("SELECT words FROM Robot ORDER BY label") == [
        [.integer(2)], [.integer(2)], [.null],
      ]
    )
    #expect(try store.verify().isSound)
  }

  @Test func `without the secret no sealed value is opened, and plain ones are changed`() throws {
    try stored().close()
    let locked = try Store.open(scene.path)
    try locked.write { database in
      expectError(.storeLocked, entity: "Robot", property: "fullName") {
        try database.changeRows(of: "Robot") { _ = try $0.value("fullName", as: String.self) }
      }
      try database.changeRows(of: "Robot") { row in
        try row.set("label", to: try row.value("label", as: String.self) + "?")
      }
    }
    try locked.close()
    #expect(try scene.edit("SELECT label FROM Robot ORDER BY 1") == [["0?"], ["1?"], ["2?"]])
  }

  @Test func `changeRows makes the next save of a loaded object a conflict`() throws {
    let store = try scene.open()
    let deposit = Deposit.create()
    deposit.title = "rent"
    try scene.save(deposit, in: store)
    try store.write { try $0.changeRows(of: "Deposit") { try $0.set("note", to: "seen") } }
    deposit.balance = 7
    expectError(.conflict, entity: "Deposit") { try deposit.save() }
    try deposit.refresh()
    #expect(deposit.note == "seen")
  }

  @Test func `changeRows is refused for an unknown entity and inside of a read`() throws {
    let store = try stored()
    try store.write { database in
      expectError(.noSuchEntity) { try database.changeRows(of: "Nobody") { _ in } }
      try database.execute([
        .changingRows(of: "Robot") { try $0.set("label", to: "all") },
        "UPDATE Robot SET label = label || '!'",
      ])
    }
    #expect(try Robot<First>.texts("label", in: store) == ["all!", "all!", "all!"])
    try store.read { database in
      expectError(.transactionState) { try database.changeRows(of: "Robot") { _ in } }
    }
  }
}
