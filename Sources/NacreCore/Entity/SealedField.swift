import NacreCrypto
import NacreSQLite
import NacreStore

/// One sealed property on one connection: where its values are bound, and what seals and indexes them.
final class SealedField {
  let context: FieldContext
  let options: SealedOptions
  /// The storage class of the property's values; nil where it takes any.
  let declared: StorageClass?
  /// The session of the property's own provider, where it has one.
  let session: (any CryptSession)?
  /// The parameter of the blind index; 0 where there is none.
  let indexParameter: Int32
  private var blind: [BlindIndex] = []

  init(_ property: Property, of schema: EntitySchema, in store: Store) throws {
    guard case .value(let kind) = property.kind, let options = kind.sealing else {
      throw NacreError(.noSuchProperty, entity: schema.name, detail: property.name)
    }
    context = try FieldContext(
      storeID: store.storeID,
      entity: schema.name,
      property: property.name
    )
    self.options = options
    declared = kind.takesAnyClass ? nil : kind.storageClass
    session = store.provider(entity: schema.name, property: property.name)?.session()
    indexParameter = property.indexColumn == nil ? 0 : schema.indexParameter(property.index)
  }

  /// The blind index under every key that may have made one, the primary first; empty where there is none.
  func indexes(_ ring: KeyRing) throws -> [BlindIndex] {
    guard let bits = options.indexBits else { return [] }
    if blind.isEmpty {
      blind = try BlindIndex.all(
        ring,
        context: context,
        normalizer: options.normalizer,
        bits: bits
      )
    }
    return blind
  }
}
