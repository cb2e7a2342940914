import SwiftDiagnostics
import SwiftSyntax

/// A class marked `@Entity`: its syntax and its errors.
struct EntityDeclaration {
  /// The class's name as written.
  let identifier: TokenSyntax
  /// The modifier that generated members share with the class, with a space after it, or an empty text.
  let access: String
  /// The arguments of `EntitySchemaBuilder` from `@Entity`.
  let builderArguments: [String]
  /// The version that `@Entity` gives, or nil if it gives none.
  let version: ExprSyntax?
  /// The stored properties, in the order of their indexes.
  private(set) var properties: [PropertyDeclaration] = []
  private(set) var hasPlainInit = false
  private(set) var hasDeinit = false
  private(set) var diagnostics: [Diagnostic] = []
  /// Whether the declaration is a final class, so that an expansion would make sense.
  let isExpandable: Bool

  init(parsing declaration: some DeclGroupSyntax, attribute: AttributeSyntax) {
    let found = Self.classDiagnostics(of: declaration, attribute: attribute)
    let type = declaration.as(ClassDeclSyntax.self)
    identifier = type?.name.trimmed ?? .identifier("")
    access = declaration.modifiers.memberAccess
    builderArguments = [
      attribute.argument("table").map { "table: \($0.expression.trimmed)" },
      attribute.argument("objectID").map { "identifiers: \($0.expression.trimmed)" },
      attribute.argument("detectsConflicts").map { "detectsConflicts: \($0.expression.trimmed)" },
      attribute.argument("tokenizer").map { "tokenizer: \($0.expression.trimmed)" },
    ].compactMap(\.self)
    version = attribute.argument("version")?.expression.trimmed
    isExpandable = found.isEmpty
    diagnostics = found
    if type == nil { return }
    if let table = attribute.given("table")?.expression, table.literalText == nil {
      diagnostics.append(MacroDiagnostic.notALiteral.at(table))
    }
    if let version = attribute.argument("version")?.expression, !version.isPositiveLiteral {
      diagnostics.append(MacroDiagnostic.version.at(version))
    }
    if let flag = attribute.argument("detectsConflicts")?.expression, !flag.isBooleanLiteral {
      diagnostics.append(MacroDiagnostic.notABoolean("detectsConflicts").at(flag))
    }
    for member in declaration.memberBlock.members { parse(member.decl) }
    checkColumns()
    checkStorage(declaration)
  }

  /// The name without backticks; the catalog and sealed values use it.
  var name: String { identifier.plainName }

  /// The index of the property that `variable` declares, or nil if it is not stored.
  func index(of variable: VariableDeclSyntax) -> Int? {
    let name = variable.bindings.first?.identifier?.plainName
    return properties.firstIndex { $0.name == name }
  }

  private mutating func parse(_ member: DeclSyntax) {
    switch member.as(DeclSyntaxEnum.self) {
    case .variableDecl(let variable): parse(variable)
    case .initializerDecl(let initializer):
      if initializer.signature.parameterClause.parameters.isEmpty { hasPlainInit = true }
    case .deinitializerDecl: hasDeinit = true
    case .ifConfigDecl(let condition): parse(condition)
    default: break
    }
  }

  private mutating func parse(_ variable: VariableDeclSyntax) {
    diagnostics += Self.nameDiagnostics(of: variable)
    guard !variable.isStatic, variable.bindings.contains(where: \.isStored) else { return }
    let attributes = PropertyAttributes(parsing: variable.attributes)
    if attributes.transient != nil {
      return diagnostics += Self.transientDiagnostics(of: variable, attributes)
    }
    guard variable.bindings.count == 1, let property = variable.property(attributes) else {
      return diagnostics.append(Self.patternDiagnostic(of: variable))
    }
    var found = property.diagnostics
    if let condition = attributes.conditional {
      found.append(MacroDiagnostic.conditionalAttribute(property.name).at(condition))
    }
    diagnostics += found
    if found.isEmpty { properties.append(property) }
  }

  /// Refuses stored properties inside `#if`: a member in there gets no accessor from `@Entity`, so it could never be
  /// tracked.
  private mutating func parse(_ condition: IfConfigDeclSyntax) {
    for clause in condition.clauses {
      guard case .decls(let members) = clause.elements else { continue }
      for member in members {
        guard let variable = member.decl.as(VariableDeclSyntax.self) else {
          parse(member.decl)
          continue
        }
        let isTransient = PropertyAttributes(parsing: variable.attributes).transient != nil
        guard !isTransient, !variable.isStatic, variable.bindings.contains(where: \.isStored)
        else { continue }
        diagnostics.append(
          MacroDiagnostic.conditional.at(variable, fixIts: [.addTransient(to: variable)])
        )
      }
    }
  }

  /// Finds variables that have the name of the storage of a property.
  private mutating func checkStorage(_ declaration: some DeclGroupSyntax) {
    let owners = Dictionary(
      properties.map { ($0.storage, $0.name) },
      uniquingKeysWith: { first, _ in first }
    )
    for member in declaration.memberBlock.members {
      guard let variable = member.decl.as(VariableDeclSyntax.self), !variable.isStatic else {
        continue
      }
      for identifier in variable.bindings.compactMap(\.identifier) {
        guard let owner = owners[identifier.plainName] else { continue }
        diagnostics.append(
          MacroDiagnostic.reservedStorage(identifier.plainName, of: owner).at(identifier)
        )
      }
    }
  }

  private mutating func checkColumns() {
    var owners: [[UInt8]: String] = [:]
    for property in properties {
      guard let column = property.columnName else { continue }
      let place =
        property.attributes.column?.name.map { Syntax($0) } ?? Syntax(property.binding.pattern)
      let name = column.lowercasedASCII
      if name == "objectID".lowercasedASCII {
        if property.name != "objectID" || property.attributes.column?.name != nil {
          diagnostics.append(MacroDiagnostic.reservedColumn(column).at(place))
        }
      } else if name == "objectID__version".lowercasedASCII {
        diagnostics.append(MacroDiagnostic.versionColumn(column).at(place))
      } else if let other = owners.updateValue(property.name, forKey: name) {
        diagnostics.append(MacroDiagnostic.duplicateColumn(column, of: other).at(place))
      }
    }
  }
}

extension String {
  /// The bytes with ASCII letters in lower case: SQLite compares names of columns by these.
  fileprivate var lowercasedASCII: [UInt8] {
    utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}
