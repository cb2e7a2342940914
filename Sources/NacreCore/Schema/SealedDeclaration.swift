/// The check for declarations of sealed properties that no store can keep; `@Encrypted` reports
/// most of them at compile time.
enum SealedDeclaration {
  /// - Throws: `badDeclaration`.
  static func check(_ schema: EntitySchema) throws {
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
    if kind.hasFewValues && options.indexBits != nil && !options.acceptsLeakage {
      return
        "an index of so few values shows each of them to whoever counts; say acceptsLeakage: true to have it all the same"
    }
    return fault(options)
  }

  /// Returns the fault of options by which no property can be sealed, whatever its type; nil if
  /// there is none.
  static func fault(_ options: SealedOptions) -> String? {
    guard let bits = options.indexBits else { return nil }
    if !(1...256).contains(bits) { return "an index has 1 to 256 bits" }
    if options.isUnique && bits < 64 {
      return "in less than 64 bits, values that only share an index would be refused as equal"
    }
    if options.isUnique && options.hidesNil {
      return "unique and hidesNil exclude each other: every nil would have the same index"
    }
    return nil
  }
}
