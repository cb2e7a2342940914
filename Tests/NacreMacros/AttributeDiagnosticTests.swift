import Testing

@testable import NacreMacros

struct AttributeDiagnosticTests {
  @Test func `a column is named by a literal`() {
    expectDiagnostic(of: "@Column(name) var a = 0", .notALiteral, column: 11)
  }

  @Test(arguments: [
    "var a: Int?", "var a = \"\"", "var a = Date()", "var a: [String: [Foundation.Date?]] = [:]",
    "var a = -1.5", "var a = [1, 2]", "var a = [\"b\": true]", "var a = [UUID]()",
    "var a = Swift.String.init()", "var a: Optional<Array<Int>> = nil",
    "@Encrypted var a: Secret?",
  ])
  func `a value has no relationship`(property: String) {
    expectDiagnostic(
      of: "@Relationship(removed: .delete) \(property)",
      .relationshipOfValue,
      column: 3,
      fixed: ["remove '@Relationship'": property]
    )
  }

  @Test(arguments: [
    "var a: Engine?", "var a: [Engine] = []", "var a = [Engine]()", "var a = makeEngines()",
  ])
  func `a property that may be a child may have a relationship`(property: String) {
    expectDiagnostics("final class Car {\n  @Relationship(delete: .deny) \(property)\n}", [])
  }

  @Test(arguments: [".cascade", "DeleteRule.cascade"])
  func `a delete does not cascade over a link`(rule: String) {
    expectDiagnostic(
      of: "@Relationship(delete: \(rule)) var a: Link<Car>?",
      .cascadeOverLink,
      column: 17,
      fixed: ["remove '@Relationship'": "var a: Link<Car>?"]
    )
    expectDiagnostic(
      of: "@Relationship(delete: \(rule), inverse: \\Car.b) var a = Links<Car>()",
      .cascadeOverLink,
      column: 17,
      fixed: ["remove 'delete'": "@Relationship(inverse: \\Car.b) var a = Links<Car>()"]
    )
  }

  @Test func `a table is named where a to-many relationship is stored`() {
    expectDiagnostics(
      "final class Car {\n  @Relationship(table: \"t\") var a = Links<Tag>()\n}",
      []
    )
    expectDiagnostics("final class Car {\n  @Relationship(table: nil) var a: Tag?\n}", [])
    for type in ["Engine", "Link<Car>"] {
      expectDiagnostic(
        of: "@Relationship(table: \"t\") var a: \(type)?",
        .tableOfOne,
        column: 17,
        fixed: ["remove '@Relationship'": "var a: \(type)?"]
      )
    }
    expectDiagnostic(
      of: "@Relationship(inverse: \\Tag.cars, table: \"t\") var a = Links<Tag>()",
      .tableOfInverse,
      column: 37,
      fixed: ["remove 'table'": "@Relationship(inverse: \\Tag.cars) var a = Links<Tag>()"]
    )
    expectDiagnostic(
      of: "@Relationship(table: name) var a = Links<Tag>()",
      .notALiteral,
      column: 24
    )
  }

  @Test func `the rules of children do not apply to links`() {
    expectDiagnostic(
      of: "@Relationship(removed: .delete) var a: Link<Car>?",
      .ruleOfLink("removed"),
      column: 17,
      fixed: ["remove '@Relationship'": "var a: Link<Car>?"]
    )
    expectDiagnostic(
      of: "@Relationship(delete: .deny) var a = Links<Car>()",
      .ruleOfLink("delete"),
      column: 17,
      fixed: ["remove '@Relationship'": "var a = Links<Car>()"]
    )
  }

  @Test func `an inverse on a pointer to the parent makes it a link`() {
    expectDiagnostic(
      of: "@Relationship(inverse: \\Car.wheels) var car: Car?",
      .inverseToOne,
      column: 17,
      fixed: [
        "change the type to 'Link<Car>?'":
          "@Relationship(inverse: \\Car.wheels) var car: Link<Car>?",
        "remove '@Relationship'": "var car: Car?",
      ]
    )
    expectDiagnostic(
      of: "@Relationship(inverse: \\Car.wheels) var car: Link<Car>?",
      .inverseToOne,
      column: 17,
      fixed: ["remove '@Relationship'": "var car: Link<Car>?"]
    )
  }

  @Test(arguments: ["Encrypted", "Column", "Relationship"])
  func `a transient property has no other attribute`(name: String) {
    expectDiagnostic(
      of: "@\(name) @Transient var a: B?",
      .transientWith(name),
      column: 3,
      fixed: ["remove '@\(name)'": "@Transient var a: B?"]
    )
  }

  @Test func `an attribute inside a conditional block would leave a property in plain`() {
    expectDiagnostics(
      """
      final class Car {
        #if os(Linux)
        @Encrypted
        #endif
        var vin = ""
      }
      """,
      [Expected(.conditionalAttribute("vin"), 3, 3)]
    )
  }
}

struct MisplacedAttributeTests {
  private static let names = ["Encrypted", "Column", "Relationship", "Transient"]

  @Test(arguments: names)
  func `an attribute of ours belongs on a stored property`(name: String) {
    expectMarker(name, on: "func a() {}", .notAProperty(name))
    expectMarker(name, on: "var a: Int { 0 }", .computed(name))
    expectMarker(name, on: "var a: Int { get { 0 } set {} }", .computed(name))
    expectMarker(name, on: "static var a = 0", .notInstance(name))
    expectMarker(name, on: "var a = 0", nil)
    expectMarker(name, on: "var a = 0 { didSet {} }", nil)
  }

  @Test(arguments: names)
  func `an attribute of ours has no effect outside an entity`(name: String) {
    expectMarker(name, on: "var a = 0", in: "final class Car", .outsideEntity(name))
    expectMarker(name, on: "var a = 0", in: "struct Car", .outsideEntity(name))
    expectMarker(name, on: "var a = 0", in: "@Nacre.Entity final class Car", nil)
  }
}
