import NacreStore

/// The check for declarations of sealed properties that no store can keep.
///
/// `@Encrypted` reports most of them at compile time.
enum SealedDeclaration {
  /// Checks the sealed properties of an entity.
  ///
  /// - Throws: `badDeclaration` for the first property that no store can keep.
  static func check(_ schema: RowSchema) throws {
    for property in schema.properties {
      guard case .value(let kind) = property.kind, let options = kind.sealing else { continue }
      guard let fault = fault(kind, options) else { continue }
      throw NacreError(
        .badDeclaration,
        entity: schema.name,
        property: property.name,
        detail: fault
      )
    }
  }

  private static func fault(_ kind: Property.ValueKind, _ options: SealedOptions) -> String? {
    if kind.isUnique || kind.isIndexed {
      return
        "a sealed column can't be unique or indexed; use @Encrypted(unique: true) or (searchable: true)"
    }
    if kind.check != nil || kind.collation != nil {
      return "a sealed column holds ciphertext, which has no CHECK and no collation"
    }
    if kind.form.hasFewValues && options.indexBits != nil && !options.acceptsLeakage {
      return
        "an index of so few values shows each of them to anybody who counts; set acceptsLeakage: "
        + "true if you want it anyway"
    }
    return options.fault
  }
}
