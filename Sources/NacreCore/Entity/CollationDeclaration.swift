package import NacreEngine
import NacreStore

/// The check for columns whose texts are to be compared by a rule that the store's engine does not have.
package enum CollationDeclaration {
  /// Checks the columns of an entity or of records.
  ///
  /// - Throws: `badDeclaration` for the first column whose rule the engine does not have.
  package static func check(_ schema: RowSchema, _ dialect: any Dialect) throws {
    for property in schema.properties {
      guard let rule = property.collation?.rawValue,
        dialect.type(.text, collation: rule) == nil
      else { continue }
      throw NacreError(
        .badDeclaration,
        entity: schema.name,
        property: property.name,
        detail: "the store's engine can't compare texts by the rule \(rule)"
      )
    }
  }
}
