import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import NacreMacros

/// Expands every macro in `source` and compares the whole text.
func expectExpansion(
  _ source: String,
  _ expanded: String,
  diagnostics: [DiagnosticSpec] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source,
    expandedSource: expanded,
    diagnostics: diagnostics,
    macroSpecs: macros,
    indentationWidth: twoBlanks,
    failureHandler: { record($0, sourceLocation) }
  )
}

/// Compares what `@Entity` writes into a class; the other attributes stay as they are.
func expectMembers(
  of source: String,
  _ expanded: String,
  raises expected: [Expected] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source,
    expandedSource: expanded,
    diagnostics: expected.map(\.spec),
    macroSpecs: ["Entity": MacroSpec(type: EntityMembers.self)],
    indentationWidth: twoBlanks,
    failureHandler: { record($0, sourceLocation) }
  )
}

/// Compares the statements of the schema that `@Entity` makes of properties, all of them plain or
/// sealed values or children; the members before it are those of any other entity.
func expectSchema(
  of attribute: String,
  _ properties: String,
  _ statements: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let body = properties.isEmpty ? "" : "\n" + properties.indented(by: 2)
  assertMacroExpansion(
    "\(attribute) final class Car {\(body)\n}",
    expandedSource: """
      final class Car {\(body)

        static let entitySchema: NacreCore.EntitySchema = {
      \(statements.indented(by: 4))
          return schema.build()
        }()
      }
      """,
    macroSpecs: ["Entity": MacroSpec(type: EntitySchemaMember.self)],
    indentationWidth: twoBlanks,
    failureHandler: { record($0, sourceLocation) }
  )
}

/// Compares which properties get which index.
func expectAttributes(
  _ source: String,
  _ expanded: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source,
    expandedSource: expanded,
    macroSpecs: ["Entity": MacroSpec(type: EntityAttributes.self)],
    indentationWidth: twoBlanks,
    failureHandler: { record($0, sourceLocation) }
  )
}

/// One diagnostic that a source is expected to raise, with its place and the titles of its fix-its.
struct Expected {
  let diagnostic: MacroDiagnostic
  let line: Int
  let column: Int
  let fixIts: [String]

  init(_ diagnostic: MacroDiagnostic, _ line: Int, _ column: Int, fixIts: [String] = []) {
    self.diagnostic = diagnostic
    self.line = line
    self.column = column
    self.fixIts = fixIts
  }

  var spec: DiagnosticSpec {
    DiagnosticSpec(
      id: diagnostic.diagnosticID,
      message: diagnostic.message,
      line: line,
      column: column,
      severity: diagnostic.severity,
      fixIts: fixIts.map { FixItSpec(message: $0) }
    )
  }
}

/// Expects what `@Entity` or `@DAO` says of a declaration, which follows the attribute on line 2.
///
/// `fixed` has, for each fix-it's title, the declaration that it leaves behind.
func expectDiagnostics(
  _ declaration: String,
  _ expected: [Expected],
  attribute: String = "@Entity",
  fixed: KeyValuePairs<String, String> = [:],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectDiagnostics(
    declaration,
    expected,
    attribute,
    fixed: fixed.map { (title: $0.key, result: $0.value) },
    sourceLocation
  )
}

private func expectDiagnostics(
  _ declaration: String,
  _ expected: [Expected],
  _ attribute: String,
  fixed: [(title: String, result: String)],
  _ sourceLocation: SourceLocation
) {
  func check(applying title: String?, leaves result: String?) {
    assertMacroExpansion(
      "\(attribute)\n\(declaration)",
      expandedSource: declaration,
      diagnostics: expected.map(\.spec),
      macroSpecs: [
        "Entity": MacroSpec(type: EntityDiagnosis.self), "DAO": MacroSpec(type: DAOMacro.self),
      ],
      applyFixIts: title.map { [$0] },
      fixedSource: result.map { "\(attribute)\n\($0)" },
      indentationWidth: twoBlanks,
      failureHandler: { record($0, sourceLocation) }
    )
  }
  check(applying: nil, leaves: nil)
  for (title, result) in fixed { check(applying: title, leaves: result) }
}

/// Expects what a macro says of one member of a type, which stands on line 3 after two blanks.
///
/// `fixed` has, for each fix-it's title and in their order, the member that it leaves behind.
func expectDiagnostic(
  of member: String,
  in type: String = "final class Car",
  attribute: String = "@Entity",
  _ diagnostic: MacroDiagnostic,
  column: Int,
  fixed: KeyValuePairs<String, String> = [:],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  func whole(_ member: String) -> String { "\(type) {\n  \(member)\n}" }
  expectDiagnostics(
    whole(member),
    [Expected(diagnostic, 3, column, fixIts: fixed.map(\.key))],
    attribute,
    fixed: fixed.map { (title: $0.key, result: whole($0.value)) },
    sourceLocation
  )
}

/// Expects what one of the property attributes says of the declaration that it stands before.
func expectMarker(
  _ name: String,
  on member: String,
  in type: String = "@Entity final class Car",
  _ diagnostic: MacroDiagnostic?,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    "\(type) {\n  @\(name) \(member)\n}",
    expandedSource: "\(type) {\n  \(member)\n}",
    diagnostics: diagnostic.map { [Expected($0, 2, 3).spec] } ?? [],
    macroSpecs: [name: MacroSpec(type: PropertyMarkerMacro.self)],
    indentationWidth: twoBlanks,
    failureHandler: { record($0, sourceLocation) }
  )
}

private func record(_ failure: TestFailureSpec, _ sourceLocation: SourceLocation) {
  Issue.record("\(failure.message)", sourceLocation: sourceLocation)
}

extension String {
  fileprivate func indented(by blanks: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(repeating: " ", count: blanks) + $0 }.joined(separator: "\n")
  }
}
