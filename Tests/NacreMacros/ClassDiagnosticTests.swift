import Testing

@testable import NacreMacros

struct ClassDiagnosticTests {
  @Test(arguments: ["struct", "actor"])
  func `a value type or actor is offered to become a final class`(kind: String) {
    let title = "change '\(kind)' to 'final class'"
    let article = kind == "actor" ? "an" : "a"
    expectDiagnostics(
      "public \(kind) Car {\n}",
      [Expected(.notAClass("\(article) \(kind)"), 2, 8, fixIts: [title])],
      fixed: [title: "public final class Car {\n}"]
    )
  }

  @Test func `an enum can't be an entity`() {
    expectDiagnostics("enum Car {\n}", [Expected(.notAClass("an enum"), 2, 1)])
  }

  @Test func `a class must be final`() {
    expectDiagnostics(
      "class Car {\n}",
      [Expected(.notFinal, 2, 1, fixIts: ["add 'final'"])],
      fixed: ["add 'final'": "final class Car {\n}"]
    )
  }

  @Test func `an open class becomes public and final`() {
    expectDiagnostics(
      "open class Car {\n}",
      [Expected(.notFinal, 2, 6, fixIts: ["add 'final'"])],
      fixed: ["add 'final'": "public final class Car {\n}"]
    )
  }

  @Test func `a generic class can't be an entity`() {
    expectDiagnostics("final class Box<T> {\n}", [Expected(.generic, 2, 16)])
  }

  @Test func `a declaration that is no entity gets no members`() {
    expectMembers(
      of: "@Entity struct Car {\n}",
      "struct Car {\n}",
      raises: [
        Expected(
          .notAClass("a struct"),
          1,
          9,
          fixIts: ["change 'struct' to 'final class'"]
        )
      ]
    )
  }

  @Test func `a table is named by a literal`() {
    expectDiagnostics(
      "final class Car {\n}",
      [Expected(.notALiteral, 1, 16)],
      attribute: "@Entity(table: tableName)"
    )
    expectDiagnostics(
      "final class Car {\n}",
      [Expected(.notALiteral, 1, 16)],
      attribute: #"@Entity(table: "a\(1)")"#
    )
    expectDiagnostics("final class Car {\n}", [], attribute: "@Entity(table: nil)")
  }

  @Test(arguments: [
    "objectID", "entityState", "entityObservation", "entityChildren", "entityVersion",
    "entitySchema", "isMarkedForDeletion", "isStored", "hasChanges",
  ])
  func `names that every entity has are refused, stored or computed`(name: String) {
    expectDiagnostic(of: "var \(name) = 0", .reservedName(name), column: 7)
    expectDiagnostic(of: "var \(name): Int { 0 }", .reservedName(name), column: 7)
    expectDiagnostic(of: "static var \(name) = 0", .reservedName(name), column: 14)
  }

  @Test(arguments: ["objectid", "OBJECTID", "objectID"])
  func `no column is named objectID in any case`(name: String) {
    expectDiagnostic(of: "@Column(\"\(name)\") var a = 0", .reservedColumn(name), column: 11)
  }

  @Test func `no column has the name of the one for versions`() {
    expectDiagnostic(
      of: "@Column(\"ObjectID__version\") var a = 0",
      .versionColumn("ObjectID__version"),
      column: 11
    )
    expectDiagnostic(
      of: "var objectID__version = 0",
      .versionColumn("objectID__version"),
      column: 7
    )
  }

  @Test func `a property may not become the column objectID by its case`() {
    expectDiagnostic(of: "var objectId = 0", .reservedColumn("objectId"), column: 7)
  }

  @Test func `two columns may not differ in case alone`() {
    expectDiagnostics(
      """
      final class Car {
        var name = ""
        @Column("Name") var title = ""
        var power = 0
        var Power = 1
      }
      """,
      [
        Expected(.duplicateColumn("Name", of: "name"), 4, 11),
        Expected(.duplicateColumn("Power", of: "power"), 6, 7),
      ]
    )
  }

  @Test func `two columns may differ in the case of letters outside of ASCII`() {
    expectDiagnostics(
      """
      final class Car {
        var é = ""
        var É = ""
        var name = ""
        var Name = ""
      }
      """,
      [Expected(.duplicateColumn("Name", of: "name"), 6, 7)]
    )
  }
}
