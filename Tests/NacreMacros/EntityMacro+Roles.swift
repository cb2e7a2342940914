import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import NacreMacros

/// Every macro by the name under which a source uses it.
let macros: [String: MacroSpec] = [
  "DAO": MacroSpec(type: DAOMacro.self),
  "Entity": MacroSpec(type: EntityMacro.self, conformances: conformances),
  "Nacre.EntityProperty": MacroSpec(type: EntityPropertyMacro.self),
  "EntityProperty": MacroSpec(type: EntityPropertyMacro.self),
  "Encrypted": MacroSpec(type: PropertyMarkerMacro.self),
  "Column": MacroSpec(type: PropertyMarkerMacro.self),
  "Relationship": MacroSpec(type: PropertyMarkerMacro.self),
  "Transient": MacroSpec(type: PropertyMarkerMacro.self),
]

/// The indentation of all expected texts.
let twoBlanks = Trivia.spaces(2)

private let conformances = ["Entity", "ObservableEntity"].map { name in
  TypeSyntax(
    MemberTypeSyntax(
      baseType: IdentifierTypeSyntax(name: .identifier("NacreCore")),
      name: .identifier(name)
    )
  )
}

// One role of `@Entity` at a time, so that a test's text shows what the test is about.

/// Only what `@Entity` writes into the class, without accessors and conformance.
enum EntityMembers: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    try EntityMacro.expansion(
      of: node,
      providingMembersOf: declaration,
      conformingTo: protocols,
      in: context
    )
  }
}

/// Only the schema that `@Entity` writes.
enum EntitySchemaMember: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let members = try EntityMacro.expansion(
      of: node,
      providingMembersOf: declaration,
      conformingTo: protocols,
      in: context
    )
    return members.suffix(1)
  }
}

/// Only the attributes that `@Entity` puts on the properties.
enum EntityAttributes: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    try EntityMacro.expansion(
      of: node,
      attachedTo: declaration,
      providingAttributesFor: member,
      in: context
    )
  }
}

/// Only the diagnostics of `@Entity`: what it writes is left out, so that a test shows what it is
/// about.
enum EntityDiagnosis: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    _ = try EntityMacro.expansion(
      of: node,
      providingMembersOf: declaration,
      conformingTo: protocols,
      in: context
    )
    return []
  }
}
