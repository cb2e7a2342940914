import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import NacreMacros

private let macros: [String: MacroSpec] = [
  "Entity": MacroSpec(type: EntityMacro.self, conformances: ["NacreCore.Entity"]),
  "Nacre.EntityProperty": MacroSpec(type: EntityPropertyMacro.self),
  "EntityProperty": MacroSpec(type: EntityPropertyMacro.self),
  "Encrypted": MacroSpec(type: PropertyMarkerMacro.self),
  "Column": MacroSpec(type: PropertyMarkerMacro.self),
  "Relationship": MacroSpec(type: PropertyMarkerMacro.self),
  "Transient": MacroSpec(type: PropertyMarkerMacro.self),
]

/// Expands every macro in `source` and compares the whole text.
func expectExpansion(
  _ source: String, _ expanded: String, diagnostics: [DiagnosticSpec] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source, expandedSource: expanded, diagnostics: diagnostics, macroSpecs: macros,
    indentationWidth: .spaces(2), failureHandler: { record($0, sourceLocation) })
}

/// Only the diagnostics of `@Entity`: what it writes is left out, so that a test shows what it is about.
private enum EntityDiagnosis: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    _ = try EntityMacro.expansion(
      of: node, providingMembersOf: declaration, conformingTo: protocols, in: context)
    return []
  }
}

/// One diagnostic that a source is expected to raise, with its place and the titles of its fix-its.
struct Expected {
  let diagnostic: EntityDiagnostic
  let line: Int
  let column: Int
  let fixIts: [String]

  init(_ diagnostic: EntityDiagnostic, _ line: Int, _ column: Int, fixIts: [String] = []) {
    self.diagnostic = diagnostic
    self.line = line
    self.column = column
    self.fixIts = fixIts
  }

  fileprivate var spec: DiagnosticSpec {
    DiagnosticSpec(
      id: diagnostic.diagnosticID, message: diagnostic.message, line: line, column: column,
      severity: diagnostic.severity, fixIts: fixIts.map { FixItSpec(message: $0) })
  }
}

/// Expects what `@Entity` says of a declaration, which follows the attribute on line 2.
///
/// - Parameter fixed: for each fix-it's title, the declaration that it leaves behind.
func expectDiagnostics(
  _ declaration: String, _ expected: [Expected], attribute: String = "@Entity",
  fixed: KeyValuePairs<String, String> = [:], sourceLocation: SourceLocation = #_sourceLocation
) {
  func check(applying title: String?, leaves result: String?) {
    assertMacroExpansion(
      "\(attribute)\n\(declaration)", expandedSource: declaration,
      diagnostics: expected.map(\.spec),
      macroSpecs: ["Entity": MacroSpec(type: EntityDiagnosis.self)],
      applyFixIts: title.map { [$0] }, fixedSource: result.map { "\(attribute)\n\($0)" },
      indentationWidth: .spaces(2), failureHandler: { record($0, sourceLocation) })
  }
  check(applying: nil, leaves: nil)
  for (title, result) in fixed { check(applying: title, leaves: result) }
}

/// Expects what `@Entity` says of one property, which stands on line 3 after two blanks.
///
/// - Parameter fixed: for each fix-it's title, in their order, the property that it leaves behind.
func expectDiagnostic(
  of property: String, _ diagnostic: EntityDiagnostic, column: Int,
  fixed: KeyValuePairs<String, String> = [:], sourceLocation: SourceLocation = #_sourceLocation
) {
  func entity(_ property: String) -> String { "final class Car {\n  \(property)\n}" }
  let expected = Expected(diagnostic, 3, column, fixIts: fixed.map(\.key))
  expectDiagnostics(entity(property), [expected], sourceLocation: sourceLocation)
  for (title, result) in fixed {
    expectDiagnostics(
      entity(property), [expected], fixed: [title: entity(result)], sourceLocation: sourceLocation)
  }
}

private func record(_ failure: TestFailureSpec, _ sourceLocation: SourceLocation) {
  Issue.record("\(failure.message)", sourceLocation: sourceLocation)
}
