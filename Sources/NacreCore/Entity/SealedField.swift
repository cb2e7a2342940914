import NacreCrypto
import NacreEngine
import NacreStore

/// One sealed property on one connection: what every value of it needs.
///
/// A ``SealedColumn`` gives its context and blind indexes. But the values of saves and fetches are
/// sealed and opened by ``FieldSealing`` itself, straight between a statement and its memory.
final class SealedField {
  private let column: SealedColumn
  let context: FieldContext
  let options: SealedOptions
  /// The storage class of the property's values; nil if the property takes any.
  let declared: StorageClass?
  /// The same as the type of payloads.
  let payloadType: PayloadType?
  /// The session of the property's own provider; nil if it has none.
  let session: (any CryptSession)?
  /// The parameter of the envelope.
  let parameter: Int32
  /// The parameter of the blind index; 0 if there is none.
  let indexParameter: Int32
  /// The memory of the last envelope.
  private let envelope: ScratchBuffer
  private var blind: [BlindIndex] = []

  init(
    _ property: Property,
    of schema: RowSchema,
    in store: Store,
    envelope: ScratchBuffer
  ) throws {
    self.envelope = envelope
    guard case .value(let kind) = property.kind, let options = kind.sealing else {
      throw NacreError(.noSuchProperty, entity: schema.name, detail: property.name)
    }
    let place = ConversionPlace(entity: schema.name, property: property.name)
    context = try place.context(in: store.storeID)
    column = SealedColumn(context, CatalogProperty.Sealing(options))
    self.options = options
    declared = kind.takesAnyClass ? nil : kind.storageClass
    payloadType = declared.map { PayloadType($0) }
    session = store.provider(entity: schema.name, property: property.name)?.session()
    parameter = Int32(truncatingIfNeeded: property.index + 2)
    indexParameter = property.indexColumn == nil ? 0 : schema.indexParameter(property.index)
  }

  /// Seals a payload; the envelope is valid until the next one.
  func seal(
    _ payload: UnsafeRawBufferPointer,
    _ objectID: ObjectIDBytes,
    by session: some CryptSession
  ) throws -> UnsafeRawBufferPointer {
    try session.seal(
      payload,
      context: context,
      objectID: objectID,
      suite: options.suite,
      into: envelope
    )
  }

  /// Opens an envelope.
  func open(
    _ sealed: UnsafeRawBufferPointer,
    _ objectID: ObjectIDBytes,
    by session: some CryptSession,
    into scratch: ScratchBuffer
  ) throws -> UnsafeRawBufferPointer {
    try session.open(sealed, context: context, objectID: objectID, into: scratch)
  }

  /// Returns the blind indexes under every key that may have made one, the primary key's first;
  /// empty if the property has none.
  func indexes(_ ring: KeyRing) throws -> [BlindIndex] {
    if blind.isEmpty { blind = try column.indexes(in: ring) }
    return blind
  }
}
