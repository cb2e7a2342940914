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
    sealing = first("Encrypted").map(SealingAttribute.init)
    column = first("Column").map(ColumnAttribute.init)
    relationship = first("Relationship").map(RelationshipAttribute.init)
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
  var name: ExprSyntax? { attribute.given(nil)?.expression }
  var unique: LabeledExprSyntax? { attribute.argument("unique") }
  var indexed: LabeledExprSyntax? { attribute.argument("indexed") }
  var defaultValue: LabeledExprSyntax? { attribute.argument("default") }
  var renamedFrom: LabeledExprSyntax? { attribute.given("renamedFrom") }
  var dates: LabeledExprSyntax? { attribute.argument("dates") }
  var check: LabeledExprSyntax? { attribute.given("check") }
  var collation: LabeledExprSyntax? { attribute.given("collation") }
  var fullText: LabeledExprSyntax? { attribute.argument("fullText") }

  /// The arguments of `ColumnOptions`.
  var optionArguments: [String] {
    [
      name.map { "name: \($0.trimmed)" },
      unique.map { "isUnique: \($0.expression.trimmed)" },
      indexed.map { "isIndexed: \($0.expression.trimmed)" },
      defaultValue.map { "defaultValue: \($0.expression.trimmed)" },
      renamedFrom.map { "renamedFrom: \($0.expression.trimmed)" },
      dates.map { "dates: \($0.expression.trimmed)" },
      check.map { "check: \($0.expression.trimmed)" },
      collation.map { "collation: \($0.expression.trimmed)" },
      fullText.map { "isFullText: \($0.expression.trimmed)" },
    ].compactMap(\.self)
  }
}

/// The arguments of `@Relationship` on a property.
struct RelationshipAttribute {
  let attribute: AttributeSyntax

  var removed: LabeledExprSyntax? { attribute.argument("removed") }
  var inverse: LabeledExprSyntax? { attribute.given("inverse") }
  var table: LabeledExprSyntax? { attribute.given("table") }

  /// The rules that apply to children only.
  var rules: [LabeledExprSyntax] { [attribute.argument("delete"), removed].compactMap(\.self) }

  /// The arguments of `RelationshipOptions`.
  var optionArguments: [String] {
    (rules + [table].compactMap(\.self))
      .map { "\($0.label?.text ?? ""): \($0.expression.trimmed)" }
  }
}
