import NacreCore
import NacreRecords
import Testing
@testable import TestSupport

private struct Member: Record {
  var id: Int64?
  var name = ""
  var age = 0

  init() {}

  init(_ name: String, age: Int = 0) { (self.name, self.age) = (name, age) }

  static let columns: [RecordColumn<Member>] = [
    .key(\.id), .column(\.name, unique: true, collation: .noCase),
    .column(\.age, check: "age >= 0"),
  ]
}

/// Members as a later version of the application has them.
private struct LaterMember: Record {
  var id: Int64?
  var name = ""
  var age = 0
  var city = ""

  init() {}

  static var tableName: String { "Member" }
  static let columns: [RecordColumn<LaterMember>] = [
    .key(\.id), .column(\.name), .column(\.age),
    .column(\.city, check: "city <> 'nowhere'", collation: .rightTrim),
  ]
}

/// Members of whom only the age is checked.
private struct CheckedMember: Record {
  var id: Int64?
  var name = ""
  var age = 0

  init() {}

  static let columns: [RecordColumn<CheckedMember>] = [
    .key(\.id), .column(\.name), .column(\.age, check: "age >= 0"),
  ]
}

private struct SealedMember: Record {
  var id: Int64?
  var name = ""
  init() {}
  static let columns: [RecordColumn<SealedMember>] = [
    .key(\.id), .column(\.name, check: "name <> ''", sealed: SealedOptions()),
  ]
}

/// The checks and collations of records' columns.
@Suite struct RecordRuleTests {
  private let scene: RecordScene
  private var members: Table<Member> { Table().in(scene.store) }

  init() throws { scene = try RecordScene() }

  @Test func `a record that breaks the check of a column is refused`() throws {
    let members = Table<CheckedMember>().in(scene.store)
    var member = CheckedMember()
    member.age = -1
    expectError(.constraint, entity: "CheckedMember") { try members.insert(&member) }
    member.age = 3
    try members.insert(&member)
    member.age = -3
    expectError(.constraint, entity: "CheckedMember") { try members.update(member) }
    #expect(try members.fetchAll().map(\.age) == [3])
  }

  @Test(.sqliteOnly("a server has no rule NOCASE"))
  func `a column without case finds and refuses texts in any case`() throws {
    try members.insert(contentsOf: [Member("Ada"), Member("bob"), Member("Cy")])
    #expect(try members.where("name = ?", "ADA").count() == 1)
    #expect(try members.fetchOne(\.name, equals: "BOB")?.name == "bob")
    #expect(try members.fetchAll(orderBy: "name").map(\.name) == ["Ada", "bob", "Cy"])
    expectError(.constraint, entity: "Member") {
      try members.insert(contentsOf: [Member("ada")])
    }
  }

  @Test(.sqliteOnly("a server has no rules NOCASE and RTRIM"))
  func `a column that is added later has its check and its collation`() throws {
    try members.insert(contentsOf: [Member("Ada")])
    let later = Table<LaterMember>().in(scene.store)
    var member = LaterMember()
    (member.name, member.city) = ("Bob", "Bonn ")
    try later.insert(&member)
    #expect(try later.where("city = ?", "Bonn").count() == 1)
    member.city = "nowhere"
    expectError(.constraint, entity: "Member") { try later.update(member) }
  }

  @Test func `a sealed column with a check is refused`() throws {
    expectError(.badDeclaration, entity: "SealedMember", property: "name") {
      try Table<SealedMember>().in(scene.store).create()
    }
  }
}
