import Testing

@testable import NacreMacros

struct EntityArgumentTests {
  @Test func `a version becomes a static member, as accessible as the class`() {
    expectMembers(
      of: """
        @Entity(version: 3) public final class Marker {
        }
        """,
      """
      public final class Marker {

        @exclusivity(unchecked) public var entityState = NacreCore.EntityState()

        @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

        public init() {
        }

        public init(row: NacreCore.RowReader) throws {
          entityState = row.entityState()
        }

        public func bindProperties(to row: NacreCore.RowBinder) throws {
        }

        public func visitChildren(_ walk: NacreCore.GraphWalk) {
        }

        public static let entityVersion = 3

        public static let entitySchema: NacreCore.EntitySchema = {
          let schema = NacreCore.EntitySchemaBuilder(Marker.self, name: "Marker")
          return schema.build()
        }()
      }
      """
    )
  }

  @Test func `conflicts and the tokenizer stand in the schema, behind the other arguments`() {
    expectMembers(
      of: """
        @Entity(table: "marks", objectID: .v4, detectsConflicts: true, tokenizer: .porter) final class Marker {
        }
        """,
      """
      final class Marker {

        @exclusivity(unchecked) var entityState = NacreCore.EntityState()

        @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

        init() {
        }

        init(row: NacreCore.RowReader) throws {
          entityState = row.entityState()
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
        }

        func visitChildren(_ walk: NacreCore.GraphWalk) {
        }

        static let entitySchema: NacreCore.EntitySchema = {
          let schema = NacreCore.EntitySchemaBuilder(Marker.self, name: "Marker", table: "marks", identifiers: .v4, detectsConflicts: true, tokenizer: .porter)
          return schema.build()
        }()
      }
      """
    )
  }

  @Test(arguments: ["isStrict", "!true", "1"])
  func `whether conflicts are detected is a literal`(flag: String) {
    expectDiagnostics(
      "final class Car {\n}",
      [Expected(.notABoolean("detectsConflicts"), 1, 27)],
      attribute: "@Entity(detectsConflicts: \(flag))"
    )
    expectDiagnostics("final class Car {\n}", [], attribute: "@Entity(detectsConflicts: false)")
  }

  @Test func `a date is read and bound in the form that its column says`() {
    expectMembers(
      of: """
        @Entity final class Visit {
          @Column(dates: .integer) var day = Date()
          @Column(dates: DateForm.iso8601) @Encrypted var end: Date?
        }
        """,
      """
      final class Visit {
        @Column(dates: .integer) var day = Date()
        @Column(dates: DateForm.iso8601) @Encrypted var end: Date?

        @exclusivity(unchecked) var entityState = NacreCore.EntityState()

        @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

        init() {
        }

        init(row: NacreCore.RowReader) throws {
          _day = try row.read(dateAs: .integer, at: 0)
          _end = try row.open(dateAs: DateForm.iso8601, at: 1)
          entityState = row.entityState()
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
          try row.bind(date: _day, as: .integer, at: 0)
          try row.seal(date: _end, as: DateForm.iso8601, at: 1)
        }

        func visitChildren(_ walk: NacreCore.GraphWalk) {
        }

        static let entitySchema: NacreCore.EntitySchema = {
          var schema = NacreCore.EntitySchemaBuilder(Visit.self, name: "Visit")
          schema.add("day", \\Visit.day, column: NacreCore.ColumnOptions(dates: .integer))
          schema.add("end", \\Visit.end, column: NacreCore.ColumnOptions(dates: DateForm.iso8601), sealed: NacreCore.SealedOptions())
          return schema.build()
        }()
      }
      """
    )
  }

  @Test(arguments: ["0", "-1", "current", "1 + 1", "99999999999999999999"])
  func `a version is an integer literal from 1 on`(version: String) {
    expectDiagnostics(
      "final class Car {\n}",
      [Expected(.version, 1, 18)],
      attribute: "@Entity(version: \(version))"
    )
  }

  @Test(arguments: ["1", "1_000", "0x3"])
  func `any integer literal from 1 on is a version`(version: String) {
    expectDiagnostics("final class Car {\n}", [], attribute: "@Entity(version: \(version))")
  }

  @Test func `a former name is a literal`() {
    expectDiagnostic(of: "@Column(renamedFrom: old) var a = 0", .notALiteral, column: 24)
  }

  @Test(arguments: ["\"\"", "\"a\""])
  func `a former name is a name and another one`(former: String) {
    expectDiagnostic(
      of: "@Column(renamedFrom: \(former)) var a = 0",
      .notRenamed("a"),
      column: 11,
      fixed: ["remove '@Column'": "var a = 0"]
    )
  }

  @Test func `a column may be renamed where the property is not, and the other way round`() {
    expectDiagnostics("final class Car {\n  @Column(\"b\", renamedFrom: \"a\") var a = 0\n}", [])
    expectDiagnostics("final class Car {\n  @Column(\"b\", renamedFrom: \"b\") var a = 0\n}", [])
  }

  @Test(arguments: ["a = 0", "a: String?", "a: [Date] = []", "a: Link<Car>?", "a = Links<Car>()"])
  func `only a date has a form`(property: String) {
    expectDiagnostic(
      of: "@Column(dates: .integer) var \(property)",
      .datesOfOther("a"),
      column: 11,
      fixed: ["remove '@Column'": "var \(property)"]
    )
  }

  @Test(arguments: ["a = Date()", "a: Foundation.Date?", "a: Day = today", "a: Day?"])
  func `a property that is or may be a date may have a form`(property: String) {
    expectDiagnostics("final class Car {\n  @Column(dates: .integer) var \(property)\n}", [])
  }

  @Test(arguments: ["a = 0", "a = Date()", "a: [String] = []", "a: Link<Person>?"])
  func `only text is in a full-text index`(property: String) {
    expectDiagnostic(
      of: "@Column(fullText: true) var \(property)",
      .fullTextOfOther("a"),
      column: 11,
      fixed: ["remove '@Column'": "var \(property)"]
    )
  }

  @Test(arguments: ["a = \"\"", "a: String?", "a: Title = .none", "a: URL?"])
  func `what is or may be text may be in a full-text index`(property: String) {
    expectDiagnostics("final class Car {\n  @Column(fullText: true) var \(property)\n}", [])
  }

  @Test func `a name under which a property is kept is refused`() {
    expectDiagnostics(
      "final class Car {\n  var a = 0\n  @Transient var _a = 0\n  var _b: Int { a }\n}",
      [Expected(.reservedStorage("_a", of: "a"), 4, 18)]
    )
  }
}
