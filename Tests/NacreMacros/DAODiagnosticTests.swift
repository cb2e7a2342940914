import Testing

@testable import NacreMacros

struct DAODiagnosticTests {
  /// Expects what `@DAO` says of one requirement, which stands on line 3 after two blanks.
  private func expect(
    _ requirement: String,
    _ diagnostic: MacroDiagnostic,
    column: Int,
    fixed: KeyValuePairs<String, String> = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectDiagnostic(
      of: requirement,
      in: "protocol A: DAOProtocol",
      attribute: "@DAO",
      diagnostic,
      column: column,
      fixed: fixed,
      sourceLocation: sourceLocation
    )
  }

  @Test(arguments: [
    ("final class A {\n}", "a class", 7), ("struct A {\n}", "a struct", 1),
    ("enum A {\n}", "an enum", 1), ("actor A {\n}", "an actor", 1),
    ("extension A {\n}", "an extension", 1),
  ])
  func `only a protocol has a proxy`(declaration: String, kind: String, column: Int) {
    expectDiagnostics(
      declaration,
      [Expected(.notAProtocol(kind), 2, column)],
      attribute: "@DAO"
    )
  }

  @Test func `a function has no proxy`() {
    expectDiagnostics(
      "func a() {\n}",
      [Expected(.notAProtocol("this declaration"), 1, 1)],
      attribute: "@DAO"
    )
  }

  @Test(arguments: ["private", "fileprivate"])
  func `a private protocol is refused`(access: String) {
    let title = "make it 'internal'"
    expectDiagnostics(
      "\(access) protocol A: DAOProtocol {\n}",
      [Expected(.privateProtocol("A"), 2, 1, fixIts: [title])],
      attribute: "@DAO",
      fixed: [title: "internal protocol A: DAOProtocol {\n}"]
    )
  }

  @Test(arguments: ["private enum B", "fileprivate extension B"])
  func `a protocol inside a private declaration is refused`(outer: String) {
    expectExpansion(
      "\(outer) {\n  @DAO protocol A: DAOProtocol {\n  }\n}",
      "\(outer) {\n  protocol A: DAOProtocol {\n  }\n}",
      diagnostics: [Expected(.privateProtocol("A"), 2, 17).spec]
    )
  }

  @Test func `a protocol inside a function is refused`() {
    expectExpansion(
      "func b() {\n  @DAO protocol A: DAOProtocol {\n  }\n}",
      "func b() {\n  protocol A: DAOProtocol {\n  }\n}",
      diagnostics: [Expected(.localProtocol("A"), 2, 17).spec]
    )
  }

  @Test func `a protocol inherits from DAOProtocol`() {
    expectDiagnostics(
      "protocol A {\n}",
      [Expected(.noDAOProtocol("A"), 2, 10, fixIts: ["inherit from 'DAOProtocol'"])],
      attribute: "@DAO",
      fixed: ["inherit from 'DAOProtocol'": "protocol A: DAOProtocol {\n}"]
    )
  }

  @Test func `a proxy is no actor`() {
    expectDiagnostics(
      "protocol A: DAOProtocol, Actor {\n}",
      [Expected(.actorProtocol("A"), 2, 26)],
      attribute: "@DAO"
    )
  }

  @Test(arguments: [
    ("var a: Int { get }", "a property", 3), ("subscript(a: Int) -> Int { get }", "a subscript", 3),
    ("init(a: Int)", "an initializer", 3), ("associatedtype A", "an associated type", 3),
    ("static func a() throws -> Int", "a static method", 15),
  ])
  func `a proxy has methods alone`(requirement: String, kind: String, column: Int) {
    expect(requirement, .notAMethod(kind), column: column)
  }

  @Test func `a method in a condition is refused`() {
    expectDiagnostics(
      "protocol A: DAOProtocol {\n  #if DEBUG\n  func a()\n  #endif\n}",
      [Expected(.conditionalMethod, 3, 3)],
      attribute: "@DAO"
    )
  }

  @Test func `a method may not be named dao`() {
    expect("func dao()", .reservedMethod("dao"), column: 8)
  }

  @Test func `a method is not generic`() {
    expect("func a<T>(_ b: T)", .genericMethod("a"), column: 9)
    expect("func a(_ b: some Sequence<Int>)", .unusableArgument("b", "generic"), column: 10)
    expect("func a(_ b: (some P)?)", .unusableArgument("b", "generic"), column: 10)
  }

  @Test(arguments: [
    ("_ b: Int...", "variadic"), ("b: inout Int", "'inout'"), ("_ b: borrowing Int", "'borrowing'"),
    ("_ b: consuming Int", "'consuming'"), ("_ b: isolated A", "'isolated'"),
    ("_ b: @escaping () -> Int", "a function"), ("a b: (() -> Int)?", "a function"),
    ("_ b: (() -> Int)", "a function"),
  ])
  func `an argument is one value`(parameter: String, kind: String) {
    expect("func a(\(parameter))", .unusableArgument("b", kind), column: 10)
  }

  @Test func `a method that returns a value throws`() {
    expect(
      "func a(_ b: Int) -> String?",
      .valueWithoutThrows("a"),
      column: 8,
      fixed: ["add 'throws'": "func a(_ b: Int) throws -> String?"]
    )
    expect(
      "func a() async -> [Int]",
      .valueWithoutThrows("a"),
      column: 8,
      fixed: ["add 'throws'": "func a() async throws -> [Int]"]
    )
  }

  @Test func `a method throws or returns a result with the error in it`() {
    expect(
      "func a(_ b: Int) throws -> DAOResult",
      .throwingResult("a"),
      column: 20,
      fixed: ["remove 'throws'": "func a(_ b: Int) -> DAOResult"]
    )
    expect(
      "func a() async throws -> sending DAOResult",
      .throwingResult("a"),
      column: 18,
      fixed: ["remove 'throws'": "func a() async -> sending DAOResult"]
    )
  }

  @Test func `a method throws any error`() {
    expect(
      "func a() throws(NacreError) -> Int",
      .typedThrows("a"),
      column: 12,
      fixed: ["throw any error": "func a() throws -> Int"]
    )
  }

  @Test func `all mistakes of a protocol are told at once`() {
    expectDiagnostics(
      "protocol A {\n  var a: Int { get }\n  func b() -> Int\n}",
      [
        Expected(.noDAOProtocol("A"), 2, 10, fixIts: ["inherit from 'DAOProtocol'"]),
        Expected(.notAMethod("a property"), 3, 3),
        Expected(.valueWithoutThrows("b"), 4, 8, fixIts: ["add 'throws'"]),
      ],
      attribute: "@DAO"
    )
  }
}
