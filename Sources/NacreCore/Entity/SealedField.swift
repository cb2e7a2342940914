import NacreCrypto
import NacreEngine
import NacreSQLite
import NacreStore

/// One sealed property on one connection: the context of its values, and the session and blind
/// indexes that it uses.
final class SealedField {
  let context: FieldContext
  let options: SealedOptions
  /// The storage class of the property's values; nil if the property takes any.
  let declared: StorageClass?
  /// The session of the property's own provider; nil if it has none.
  let session: (any CryptSession)?
  /// The parameter of the blind index; 0 if there is none.
  let indexParameter: Int32
  private var blind: [BlindIndex] = []

  init(_ property: Property, of schema: RowSchema, in store: Store) throws {
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

  /// Returns the blind indexes under every key that may have made one, the primary key's first;
  /// empty if the property has none.
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
