import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityExpansion {
  /// The schema, one statement for each property, so that the compiler infers each type on its own.
  var schema: DeclSyntax {
    let type = entity.identifier
    let arguments = ["\(type).self", "name: \(entity.name.quoted)"] + entity.builderArguments
    // The schema of a class without properties never changes, so `var` would give a warning.
    let keyword = entity.properties.isEmpty ? "let" : "var"
    let lines =
      ["\(keyword) schema = NacreCore.EntitySchemaBuilder(\(arguments.list))"]
      + entity.properties.map { "schema.add(\(schemaArguments(of: $0).list))" }
      + attachments
      + ["return schema.build()"]
    return """
      \(raw: entity.access)static let entitySchema: NacreCore.EntitySchema = {
        \(raw: lines.body)
      }()
      """
  }

  /// The statements that attach the storage of the children and links, which the loading code uses.
  private var attachments: [String] {
    indexed { property, index in
      guard property.mayBeReference else { return nil }
      return "schema.attach(\\\(entity.identifier).\(property.storage), at: \(index))"
    }
  }

  private func schemaArguments(of property: PropertyDeclaration) -> [String] {
    var arguments = [property.name.quoted, "\\\(entity.identifier).\(property.identifier)"]
    let attributes = property.attributes
    if let options = attributes.column?.optionArguments, !options.isEmpty {
      arguments.append("column: NacreCore.ColumnOptions(\(options.list))")
    }
    if let options = attributes.relationship?.optionArguments, !options.isEmpty {
      arguments.append("relationship: NacreCore.RelationshipOptions(\(options.list))")
    }
    if let inverse = attributes.relationship?.inverse {
      arguments.append("inverse: \(inverse.expression.trimmed)")
    }
    if let options = attributes.sealing?.optionArguments {
      arguments.append("sealed: NacreCore.SealedOptions(\(options.list))")
    }
    return arguments
  }
}

extension [String] {
  fileprivate var list: String { joined(separator: ", ") }
}

extension String {
  /// The text as a string literal; names contain no quotes or backslashes.
  fileprivate var quoted: String { "\"\(self)\"" }
}
