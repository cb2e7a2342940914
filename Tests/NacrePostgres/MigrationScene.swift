#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// A store with robots of a class's first version, which a process takes to the second one.
struct MigrationScene {
  private enum First: RobotForm {
    static var parts: [RobotPart] { [.init("name"), .init("secret", sealed: .init())] }
  }

  /// Has other columns and a hook.
  enum Second: RobotForm {
    static var parts: [RobotPart] { [.init("name")] + others }
    static var others: [RobotPart] {
      [
        .init("secret", sealed: .init()), .init("model", preset: "T"),
        .init("power", .optionalNumber),
      ]
    }
    static var version: Int { 2 }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      guard old == 1 else { return [] }
      return [
        SQLStatement("UPDATE \"Robot\" SET model = model || '2'"),
        SQLStatement("INSERT INTO log VALUES (?)", "hook"),
      ]
    }
  }

  /// Seals the name, too.
  enum Sealing: RobotForm {
    static var parts: [RobotPart] { [.init("name", sealed: .init())] + Second.others }
    static var version: Int { 2 }
    static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
      Second.migrate(from: old, to: new)
    }
  }

  private static let steps: [Migrator.Step] = [
    .init("1"),
    .init("2") { database in
      try database.addColumn("power", to: "Robot", type: .integer)
      try database.execute("INSERT INTO log VALUES (?)", "step")
    },
  ]

  let url: String
  let keyFile: String
  let raw: PostgresConnection
  private let directory: TemporaryDirectory

  /// Makes the store in an empty database, or in a new schema of the tests' server.
  init(url: String? = nil) throws {
    directory = try TemporaryDirectory()
    keyFile = directory.file("store.key")
    self.url = try url ?? TestPlace.newSchema()
    raw = try TestServer.connect(to: self.url)
    let store = try Self.open(self.url, keyFile: keyFile, steps: 1)
    defer { try? store.close() }
    try store.write { try $0.execute("CREATE TABLE log (entry text)") }
    for index in 0..<4 {
      try Robot<First>.store(in: store) {
        ($0[text: "name"], $0[text: "secret"]) = ("R\(index)", "S\(index)")
      }
    }
  }

  private static func open(_ url: String, keyFile: String, steps: Int) throws -> Store {
    var options = StoreOptions.patient
    options.migrator = Migrator(Array(Self.steps.prefix(steps)))
    return try Store.open(
      url,
      unlock: .keyFile(keyFile, createIfMissing: true),
      options: options
    )
  }

  /// Opens the store, which runs a step, migrates the class, which adds columns and runs a hook, and saves an object of a
  /// class that may have no table yet.
  static func migrate<Form: RobotForm>(_ url: String, keyFile: String, to form: Form.Type) throws {
    let store = try open(url, keyFile: keyFile, steps: 2)
    defer { try? store.close() }
    try store.migrate(Robot<Form>.self)
    try store.write { _ in try Vault.create().save() }
  }

  /// Expects that the store is migrated, and that each step has run once.
  ///
  /// - Parameters:
  ///   - form: The class.
  ///   - vaults: The number of objects that were saved.
  ///   - comment: Says which store it is.
  /// - Throws: What opening and reading throw.
  func expectMigrated<Form: RobotForm>(
    to form: Form.Type,
    vaults: ClosedRange<Int>,
    _ comment: Comment? = nil
  ) throws {
    let store = try Self.open(url, keyFile: keyFile, steps: 2)
    defer { try? store.close() }
    #expect(try store.migrationPlan(Robot<Form>.self).isEmpty, comment)
    let names = (0..<4).map { "R\($0)" }
    #expect(try Robot<Form>.texts("name", in: store) == names, comment)
    #expect(try Robot<Form>.texts("secret", in: store) == (0..<4).map { "S\($0)" }, comment)
    #expect(try Robot<Form>.texts("model", in: store) == names.map { _ in "T2" }, comment)
    let log = try raw.values("SELECT entry FROM log ORDER BY entry")
    #expect(log == [.text("hook"), .text("step")], comment)
    #expect(try vaults.contains(store.read { _ in try Vault.count() }), comment)
    #expect(try store.verify().isSound, comment)
  }
}
#endif
