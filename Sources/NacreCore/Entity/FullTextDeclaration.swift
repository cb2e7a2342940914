import NacreEngine
import NacreStore

/// The check for properties that no full-text index can hold.
///
/// `@Column` reports a sealed one at compile time.
enum FullTextDeclaration {
  /// Checks the properties of an entity that are declared to be in its full-text index.
  ///
  /// - Throws: `badDeclaration` for the first property that can't be.
  static func check(_ schema: RowSchema, _ dialect: any Dialect) throws {
    for property in schema.properties {
      let other = schema.fullText.flatMap { nameFault(property, beside: $0) }
      guard let fault = other ?? fault(property, dialect) else { continue }
      throw NacreError(
        .badDeclaration,
        entity: schema.name,
        property: property.name,
        detail: fault
      )
    }
  }

  /// Returns whether the index of a property's column would have the name of the full-text index, in
  /// words.
  private static func nameFault(_ property: Property, beside index: FullTextIndex) -> String? {
    let name = "\(index.table)__\(property.column)"
    guard property.hasColumn, index.tables.contains(where: { SQLName($0) == SQLName(name) }) else {
      return nil
    }
    return "\(name) is the name of the full-text index; give the column another name"
  }

  private static func fault(_ property: Property, _ dialect: any Dialect) -> String? {
    guard case .value(let kind) = property.kind, kind.isFullText else { return nil }
    guard let engine = dialect.fullText else { return "the store's engine has no full-text search" }
    if kind.sealing != nil {
      return "a full-text index would hold the words of its sealed values in plain"
    }
    guard kind.storageClass == .text, !kind.isDecimal, !kind.takesAnyClass else {
      return "a full-text index holds texts, and the property is none"
    }
    guard engine.canHold(column: property.column) else {
      return "a full-text index can't have a column \(property.column); give it another name"
    }
    return nil
  }
}
