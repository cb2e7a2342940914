import SwiftSyntax

/// The attributes of a property that the macros understand.
struct PropertyAttributes {
  /// The names of the attributes that set how a property is stored.
  static let names: Set<String> = ["Encrypted", "Column", "Relationship", "Transient"]

  let transient: AttributeSyntax?
  let sealing: SealingAttribute?
  let column: ColumnAttribute?
  let relationship: RelationshipAttribute?
  /// The first `#if` that contains one of our attributes.
  let conditional: IfConfigDeclSyntax?

  init(parsing list: AttributeListSyntax) {
    let attributes = list.compactMap { $0.as(AttributeSyntax.self) }
    func first(_ name: String) -> AttributeSyntax? { attributes.first { $0.simpleName == name } }
    transient = first("Transient")
    sealing = first("Encrypted").map(SealingAttribute.init(parsing:))
    column = first("Column").map(ColumnAttribute.init(parsing:))
    relationship = first("Relationship").map(RelationshipAttribute.init(parsing:))
    conditional = list.lazy.compactMap { $0.as(IfConfigDeclSyntax.self) }.first { condition in
      condition.tokens(viewMode: .sourceAccurate).contains { Self.names.contains($0.text) }
    }
  }

  /// The attributes that have no effect beside `@Transient`.
  var storing: [AttributeSyntax] {
    [sealing?.attribute, column?.attribute, relationship?.attribute].compactMap(\.self)
  }
}

/// The arguments of `@Column` on a property.
struct ColumnAttribute {
  let attribute: AttributeSyntax
  /// The name as written, or nil for the property's name.
  let name: ExprSyntax?
  let unique: LabeledExprSyntax?
  let indexed: LabeledExprSyntax?
  let defaultValue: LabeledExprSyntax?
  let renamedFrom: LabeledExprSyntax?
  let dates: LabeledExprSyntax?

  init(parsing attribute: AttributeSyntax) {
    self.attribute = attribute
    let name = attribute.argument(nil)?.expression
    self.name = name.flatMap { $0.isNilLiteral ? nil : $0 }
    unique = attribute.argument("unique")
    indexed = attribute.argument("indexed")
    defaultValue = attribute.argument("default")
    renamedFrom = attribute.argument("renamedFrom").flatMap {
      $0.expression.isNilLiteral ? nil : $0
    }
    dates = attribute.argument("dates")
  }

  /// The arguments of `ColumnOptions`.
  var optionArguments: [String] {
    [
      name.map { "name: \($0.trimmed)" },
      unique.map { "isUnique: \($0.expression.trimmed)" },
      indexed.map { "isIndexed: \($0.expression.trimmed)" },
      defaultValue.map { "defaultValue: \($0.expression.trimmed)" },
      renamedFrom.map { "renamedFrom: \($0.expression.trimmed)" },
      dates.map { "dates: \($0.expression.trimmed)" },
    ].compactMap(\.self)
  }
}

/// The arguments of `@Relationship` on a property.
struct RelationshipAttribute {
  let attribute: AttributeSyntax
  let delete: LabeledExprSyntax?
  let removed: LabeledExprSyntax?
  let inverse: LabeledExprSyntax?

  init(parsing attribute: AttributeSyntax) {
    self.attribute = attribute
    delete = attribute.argument("delete")
    removed = attribute.argument("removed")
    inverse = attribute.argument("inverse").flatMap { $0.expression.isNilLiteral ? nil : $0 }
  }

  /// The rules that apply to children only.
  var rules: [LabeledExprSyntax] { [delete, removed].compactMap(\.self) }

  /// The arguments of `RelationshipOptions`.
  var optionArguments: [String] {
    rules.map { "\($0.label?.text ?? ""): \($0.expression.trimmed)" }
  }
}
