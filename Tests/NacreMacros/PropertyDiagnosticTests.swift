import Testing

@testable import NacreMacros

private let transient = "mark it '@Transient', which is not stored"

struct PropertyDiagnosticTests {
  @Test func `a let is offered to become a var or transient`() {
    expectDiagnostic(
      of: "private let a = 1",
      .immutable("a"),
      column: 11,
      fixed: [
        "change 'let' to 'var'": "private var a = 1",
        transient: "@Transient private let a = 1",
      ]
    )
  }

  @Test func `a fix-it keeps the comment before a property`() {
    let titles = ["change 'let' to 'var'", transient]
    expectDiagnostics(
      "final class Car {\n  /// Why.\n  let a = 1  // what\n}",
      [Expected(.immutable("a"), 4, 3, fixIts: titles)],
      fixed: [
        titles[0]: "final class Car {\n  /// Why.\n  var a = 1  // what\n}",
        titles[1]: "final class Car {\n  /// Why.\n  @Transient let a = 1  // what\n}",
      ]
    )
  }

  @Test(arguments: [
    ("Int", "<#default#>"), ("Optional<Int>", "nil"), ("[Wheel]", "[]"), ("[String: Int]", "[:]"),
    ("Links<Person>", "Links()"), ("Engine", "<#default#>"),
  ])
  func `a property without a value is offered one`(type: String, value: String) {
    expectDiagnostic(
      of: "var a: \(type)",
      .noDefault("a"),
      column: 7,
      fixed: ["add a default value": "var a: \(type) = \(value)"]
    )
  }

  @Test func `an observed property without a value keeps its observer`() {
    expectDiagnostic(
      of: "var a: Int { didSet {} }",
      .noDefault("a"),
      column: 7,
      fixed: ["add a default value": "var a: Int = <#default#> { didSet {} }"]
    )
  }

  @Test(arguments: ["Int", "() -> Void"])
  func `a transient property needs a value too`(type: String) {
    expectDiagnostic(
      of: "@Transient var a: \(type)",
      .noDefault("a"),
      column: 18,
      fixed: ["add a default value": "@Transient var a: \(type) = <#default#>"]
    )
  }

  @Test func `a lazy property can't be stored`() {
    expectDiagnostic(
      of: "lazy var a = 1",
      .lazy("a"),
      column: 3,
      fixed: [transient: "@Transient lazy var a = 1"]
    )
  }

  @Test func `a weak property is offered to become a link`() {
    expectDiagnostic(
      of: "weak var car: Car?",
      .unretained("car", "weak"),
      column: 3,
      fixed: [
        "use a 'Link<Car>?'": "var car: Link<Car>?", transient: "@Transient weak var car: Car?",
      ]
    )
  }

  @Test func `an unowned property is offered to become a link`() {
    expectDiagnostic(
      of: "private unowned(unsafe) var car: Car",
      .unretained("car", "unowned"),
      column: 11,
      fixed: [
        "use a 'Link<Car>?'": "private var car: Link<Car>?",
        transient: "@Transient private unowned(unsafe) var car: Car",
      ]
    )
  }

  @Test(arguments: [
    ("(() -> Void)?", "a function"), ("[@Sendable () -> Void]?", "a function"),
    ("(Int, Int)?", "a tuple"), ("Void?", "a tuple"), ("Car.Type?", "a metatype"),
    ("(any P)?", "any type of a protocol"), ("[any P]?", "any type of a protocol"),
    ("(some P)?", "an opaque type"), ("(A & B)?", "any type of a composition"),
    ("[String: Any]?", "'Any'"), ("AnyObject?", "'AnyObject'"),
  ])
  func `a type that no column can hold is refused by its spelling`(type: String, kind: String) {
    expectDiagnostic(
      of: "var a: \(type)",
      .unstorable("a", kind),
      column: 10,
      fixed: [transient: "@Transient var a: \(type)"]
    )
  }

  @Test func `an implicitly unwrapped optional is offered to become a plain one`() {
    expectDiagnostic(
      of: "var a: Int!",
      .implicitlyUnwrapped("a"),
      column: 10,
      fixed: ["change the type to 'Int?'": "var a: Int?", transient: "@Transient var a: Int!"]
    )
  }

  @Test func `two observers leave no room for tracking`() {
    expectDiagnostic(
      of: "var a = 0 { willSet {} didSet {} }",
      .twoObservers("a"),
      column: 13,
      fixed: [transient: "@Transient var a = 0 { willSet {} didSet {} }"]
    )
  }

  @Test func `several properties in one declaration are split`() {
    expectDiagnostic(
      of: "private var a = 0, b = 1",
      .severalBindings,
      column: 15,
      fixed: ["declare each property on its own": "private var a = 0\n  private var b = 1"]
    )
    expectDiagnostic(
      of: "@Encrypted var a, b: Int?",
      .severalBindings,
      column: 18,
      fixed: [
        "declare each property on its own": "@Encrypted var a: Int?\n  @Encrypted var b: Int?"
      ]
    )
  }

  @Test func `a tuple pattern declares no property`() {
    expectDiagnostic(of: "var (a, b) = (0, 1)", .pattern, column: 7)
  }

  @Test func `a stored property inside a conditional block is refused, however deep`() {
    expectDiagnostics(
      """
      final class Car {
        #if DEBUG
        var a = 0
        var b: Int { 0 }
        #if os(Linux)
        var c = 0
        #endif
        #endif
      }
      """,
      [
        Expected(.conditional, 4, 3, fixIts: [transient]),
        Expected(.conditional, 7, 3, fixIts: [transient]),
      ],
      fixed: [
        transient: """
        final class Car {
          #if DEBUG
          @Transient var a = 0
          var b: Int { 0 }
          #if os(Linux)
          @Transient var c = 0
          #endif
          #endif
        }
        """
      ]
    )
  }

  @Test func `a link is optional`() {
    expectDiagnostic(
      of: "var owner: Link<Person>",
      .linkNotOptional("owner"),
      column: 14,
      fixed: ["change the type to 'Link<Person>?'": "var owner: Link<Person>?"]
    )
    expectDiagnostic(of: "var owner = Link(person)", .linkNotOptional("owner"), column: 7)
  }

  @Test func `links are not optional, and no array of links is stored`() {
    expectDiagnostic(of: "var all: Links<Person>?", .linksOptional("all"), column: 12)
    expectDiagnostic(of: "var all: [Link<Person>] = []", .arrayOfLinks("all"), column: 12)
    expectDiagnostic(of: "var all: [Link<Person>]?", .arrayOfLinks("all"), column: 12)
  }
}
