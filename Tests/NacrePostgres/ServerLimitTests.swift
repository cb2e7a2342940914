#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import Testing
@testable import TestSupport

/// Values and names that a server can't hold are refused by name before they are sent, and others come back as they were.
@Suite struct ServerLimitTests {
  private let opened: EngineStore
  private var store: Store { opened.store }

  init() throws { opened = try TestEngine.postgres.makeStore() }

  private func refused(
    _ code: NacreError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) -> NacreError? {
    let error = #expect(throws: NacreError.self, sourceLocation: sourceLocation, performing: body)
    #expect(error?.code == code, "\(error as Any)", sourceLocation: sourceLocation)
    return error
  }

  // MARK: Values

  @Test func `a text with a NUL is refused by its property, and the transaction goes on`() throws {
    let sample = Sample.create()
    try store.write { (_) throws in
      sample.text = "a\0b"
      let error = refused(.valueMismatch) { try sample.save() }
      #expect(error?.entity == "Sample" && error?.property == "text")
      #expect(error?.objectID == sample.objectID)
      #expect(!sample.isStored && sample.hasChanges)
      // The server has seen nothing of it, or it would have ended the transaction.
      sample.text = "ab"
      try sample.save()
    }
    try store.write { (_) throws in
      let code = NacreError.Code.valueMismatch
      _ = refused(code) { _ = try Sample.count(where: "text = ?", "a\0b") }
      _ = refused(code) { _ = try Sample.where(\.text, in: ["x", "a\0b"]).count() }
      _ = refused(code) { _ = try Sample.fetchOne(\.text, equals: "\0") }
      let nul = "\0"
      _ = refused(code) { _ = try Sample.count(#Predicate { $0.text == nul }) }
      _ = refused(code) { _ = try Sample.count(#Predicate { $0.text.contains(nul) }) }
      _ = refused(code) { try Sample.all.updateAll(.set(\.text, to: "\0")) }
      #expect(try Sample.fetchAll().map(\.text) == ["ab"])
    }
  }

  @Test func `a sealed text and bytes hold every character`() throws {
    let (vault, badge) = (Vault.create(), Badge.make("n"))
    (vault.secret, vault.data) = ("a\0b\u{10FFFF}\u{FEFF}", Data([0, 92, 39, 255]))
    (badge.plate, badge.email) = ("\0", "É\0")
    try store.write { _ in
      try vault.save()
      try badge.save()
    }
    try opened.reopen()
    try opened.store.read { (_) throws in
      let again = try #require(try Vault.fetchOne())
      #expect(again.secret == vault.secret && again.data == vault.data)
      #expect(try Badge.fetchOne(\.plate, equals: "\0")?.email == "É\0")
      #expect(try Badge.fetchOne(\.email, equals: "é\0")?.plate == "\0")
    }
  }

  @Test func `the ends of each type come back, and what is beyond is refused`() throws {
    let sample = Sample.create()
    (sample.integer, sample.unsigned, sample.small) = (.min, UInt64(Int64.max), -128)
    (sample.real, sample.text) = (-.leastNonzeroMagnitude, "\u{1}\u{7F}\u{FFFE}\u{1F41A}\\'\"")
    try store.write { _ in try sample.save() }
    try opened.reopen()
    let again = try #require(try opened.store.read { _ in try Sample.fetchOne() })
    #expect(again.integer == .min && again.unsigned == UInt64(Int64.max) && again.small == -128)
    #expect(again.real == -.leastNonzeroMagnitude && again.text == sample.text)
    try opened.store.write { (_) throws in
      for real in [Double.infinity, -.infinity, .greatestFiniteMagnitude, -0.0] {
        again.real = real
        try again.save()
        #expect(try Sample.fetchValues(\.real).first?.bitPattern == real.bitPattern)
      }
      #expect(try Sample.count(where: "real > ?", -Double.infinity) == 1)
      again.real = .nan
      let error = refused(.valueMismatch) { try again.save() }
      #expect(error?.property == "real")
      again.real = 0
      again.unsigned = .max
      #expect(refused(.valueMismatch) { try again.save() }?.property == "unsigned")
      _ = refused(.valueMismatch) { _ = try Sample.count(where: "integer = ?", UInt64.max) }
      _ = refused(.overflow) { try Sample.all.updateAll(.increment(\.integer, by: -1)) }
    }
  }

  // MARK: Names

  private static let long = String(repeating: "n", count: 63)

  private enum LongTable: RobotForm {
    static let table: String? = long + "n"
    static var parts: [RobotPart] { [.init("name")] }
  }

  private enum LongColumn: RobotForm {
    static let table: String? = "LongColumn"
    // 32 letters, and twice as many bytes.
    static var parts: [RobotPart] { [.init(String(repeating: "ä", count: 32))] }
  }

  private enum LongIndex: RobotForm {
    static let table: String? = "LongIndex"
    static var parts: [RobotPart] { [.init(long, column: .init(isUnique: true))] }
  }

  private enum Longest: RobotForm {
    static let table: String? = long
    static var parts: [RobotPart] { [.init(long), .init(String(repeating: "ä", count: 31))] }
  }

  private func expectNothing<D: RobotForm>(of form: D.Type, _ table: String, name: String) throws {
    let error = refused(.badStatement) { try Robot<D>.use(in: store) }
    #expect(error?.entity == "Robot")
    // The name that has to be another one, whichever it is.
    #expect(error?.finding?.contains("the name \"\(name)\" has") == true, "\(error as Any)")
    let schema = try TestPlace.connect(opened.path).schema
    #expect(try schema.tables().allSatisfy { !$0.name.hasPrefix(table.prefix(8)) })
    #expect(try store.read { try $0.query("SELECT 1 FROM nacre_entity") }.isEmpty)
  }

  @Test func `a name that the server would cut is refused, and nothing is made`() throws {
    try expectNothing(of: LongTable.self, Self.long, name: Self.long + "n")
    try expectNothing(of: LongColumn.self, "LongColumn", name: String(repeating: "ä", count: 32))
    try expectNothing(of: LongIndex.self, "LongIndex", name: "LongIndex__" + Self.long)
    let robot = try Robot<Longest>.store(in: store) { $0[text: Self.long] = "x" }
    #expect(try Robot<Longest>.texts(Self.long, in: store) == ["x"])
    #expect(try store.read { _ in try Robot<Longest>.fetch(id: robot.objectID) } != nil)
  }

  private enum TwoCases: RobotForm {
    static let table: String? = "TwoCases"
    static var parts: [RobotPart] { [.init("name"), .init("Name")] }
  }

  private enum SmallTable: RobotForm {
    static let table: String? = "safe"
    static var parts: [RobotPart] { [.init("name")] }
  }

  @Test(arguments: TestEngine.allCases)
  func `names that only their case tells apart are refused`(engine: TestEngine) throws {
    let opened = try engine.makeStore()
    let twin = refused(.badDeclaration) { try Robot<TwoCases>.use(in: opened.store) }
    #expect(twin?.entity == "Robot" && twin?.property == "Name")
    try Robot<SmallTable>.store(in: opened.store) { $0[text: "name"] = "a" }
    // The table of this class is "Safe".
    let other = refused(.schemaMismatch) {
      try opened.store.write { _ in try Safe.create().save() }
    }
    #expect(other?.entity == "Safe")
    #expect(try Robot<SmallTable>.texts("name", in: opened.store) == ["a"])
    let tables = try TestPlace.connect(opened.path).schema.tables().map { $0.name.lowercased() }
    #expect(tables.filter { $0 == "safe" }.count == 1)
    #expect(!tables.contains("twocases"))
  }

  private enum Searched: RobotForm {
    static let table: String? = "Searched"
    static var parts: [RobotPart] { [.init("text", column: .init(isFullText: true))] }
  }

  @Test func `a full-text index is refused by its property, and nothing is made`() throws {
    let error = refused(.badDeclaration) { try Robot<Searched>.use(in: store) }
    #expect(error?.entity == "Robot" && error?.property == "text")
    #expect(error?.detail?.contains("full-text") == true)
    let schema = try TestPlace.connect(opened.path).schema
    #expect(try !schema.hasTable("Searched"))
  }
}
#endif
