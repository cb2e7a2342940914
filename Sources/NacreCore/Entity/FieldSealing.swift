import NacreCrypto
import NacreEngine
import NacreStore

/// The sealing and opening of one entity's properties on one connection; each value is bound to its
/// cell.
package final class FieldSealing {
  private let schema: RowSchema
  // Unsafe holds: the database owns its statements, which own their sealing.
  private unowned(unsafe) let database: Database
  /// The same for its session, which every value asks for, without counting the reference.
  private let uncounted: Unmanaged<Database>
  private let keys: StoreKeys
  private let writer = PayloadWriter()
  private let scratch = ScratchBuffer()
  /// The memory of each property's last envelope, to which a statement may still be bound.
  ///
  /// It outlives the fields, which are made anew when the keys change, perhaps between two values of
  /// a row.
  private var envelopes: [ScratchBuffer?]
  // Unchecked, because the one thread that has the connection looks them up at every value.
  @exclusivity(unchecked) private var fields: [SealedField?]
  @exclusivity(unchecked) private var version: UInt64 = 0

  init(schema: RowSchema, database: Database) {
    self.schema = schema
    self.database = database
    uncounted = .passUnretained(database)
    keys = database.keys
    fields = Array(repeating: nil, count: schema.properties.count)
    envelopes = Array(repeating: nil, count: schema.properties.count)
  }

  /// Seals a value and binds its envelope and, if the property has one, its blind index, to the
  /// parameters that the table's statements use for them.
  ///
  /// Nil is bound as NULL, unless the property hides nil. The statement does not copy the envelope: whoever steps it again
  /// seals all of its values first.
  func seal(
    _ value: Value,
    property index: Int,
    identity: ObjectID,
    into statement: any PreparedStatement
  ) throws {
    let field = try field(index)
    if value == .null && !field.options.hidesNil {
      try statement.bindNull(at: field.parameter)
      if field.indexParameter != 0 { try statement.bindNull(at: field.indexParameter) }
      return
    }
    if let declared = field.declared, declared != value.storageClass, value != .null {
      throw ValueError.unexpected(found: value.storageClass, expected: declared)
    }
    // Wipe the writer's memory: it lives as long as the connection, and the value may not.
    defer { writer.cleanse() }
    writer.padding = field.options.padding
    let payload = try writer.encode(value)
    let objectID = ObjectIDBytes(identity)
    let sealed =
      if let session = field.session {
        try field.seal(payload, objectID, by: session)
      } else {
        try field.seal(payload, objectID, by: cryptSession())
      }
    // The envelope stays in place until the property's next one is sealed, which is bound then.
    try statement.bind(unownedBlob: sealed, at: field.parameter)
    if field.indexParameter != 0 {
      try bindIndex(payload, field, schema.properties[index], identity, into: statement)
    }
  }

  /// Binds the blind index of a payload.
  ///
  /// While an index key is being rotated, a unique value must also be unique under the other index
  /// keys.
  private func bindIndex(
    _ payload: UnsafeRawBufferPointer,
    _ field: SealedField,
    _ property: Property,
    _ identity: ObjectID,
    into statement: any EngineStatement
  ) throws {
    let ring = try keys.unlocked()
    let payload = try PayloadReader(payload)
    let indexes = try field.indexes(ring)
    guard let primary = indexes.first else { throw NacreError(.noKeyRing) }
    if field.options.isUnique {
      for index in indexes.dropFirst() {
        try refuseTwin(try index.token(payload.type, payload.value), property, identity)
      }
    }
    let token = try primary.token(payload.type, payload.value)
    try token.withUnsafeBytes { try statement.bind(blob: $0, at: field.indexParameter) }
  }

  private func refuseTwin(_ token: [UInt8], _ property: Property, _ identity: ObjectID) throws {
    guard let index = property.indexColumn,
      try database.connection.isTaken(token, in: index, of: schema.table, but: identity)
    else { return }
    throw NacreError(.constraint, detail: "another object has the same value")
  }

  /// Opens the envelope in a column and returns its value.
  package func open(
    _ statement: any EngineStatement,
    at column: Int32,
    property index: Int,
    identity: ObjectID
  ) throws -> Value {
    guard let sealed = statement.bytes(at: column) else { throw NacreError(.notAnEnvelope) }
    return try open(sealed, property: index, identity: identity)
  }

  /// Opens an envelope and returns its value.
  func open(
    _ sealed: UnsafeRawBufferPointer,
    property index: Int,
    identity: ObjectID
  ) throws -> Value {
    let field = try field(index)
    defer { scratch.cleanse() }
    let payload = try PayloadReader(open(sealed, field, identity))
    // Don't convert: a value of another type was not sealed by this property.
    if field.options.hidesNil && payload.isNull { return .null }
    if let type = field.payloadType, payload.type != type { try payload.expect(type) }
    return try Value(payload)
  }

  /// Opens an envelope, and tries once more if there are newer keys.
  ///
  /// Another thread may have switched to another ring meanwhile, or the key may be new to this
  /// process.
  private func open(
    _ sealed: UnsafeRawBufferPointer,
    _ field: SealedField,
    _ identity: ObjectID
  ) throws -> UnsafeRawBufferPointer {
    let objectID = ObjectIDBytes(identity)
    if let session = field.session {
      return try session.open(sealed, context: field.context, objectID: objectID, into: scratch)
    }
    do {
      return try field.open(sealed, objectID, by: cryptSession(), into: scratch)
    } catch let error as CryptoError {
      // Compare with the version under which the field was made; a thread that switched rings has
      // left that version behind.
      guard try keys.areNewer(than: version, for: error, on: database) else {
        throw error
      }
      return try field.open(sealed, objectID, by: cryptSession(), into: scratch)
    }
  }

  /// The connection's session under the store's current ring.
  private func cryptSession() throws -> RingSession {
    try uncounted._withUnsafeGuaranteedRef { try $0.cryptSession() }
  }

  @inline(__always)
  private func field(_ index: Int) throws -> SealedField {
    if keys.version == version, let field = fields[index] { return field }
    return try makeField(index)
  }

  @inline(never)
  private func makeField(_ index: Int) throws -> SealedField {
    let current = keys.version
    if current != version {
      // Meanwhile, a provider may have been installed or an index key may have become primary.
      fields = Array(repeating: nil, count: fields.count)
      version = current
    }
    let envelope = envelopes[index] ?? ScratchBuffer()
    envelopes[index] = envelope
    let property = schema.properties[index]
    let field = try SealedField(property, of: schema, in: database.home, envelope: envelope)
    fields[index] = field
    return field
  }

  /// Returns the blind indexes of a value under every index key that may have made one.
  func tokens(of value: Value, property index: Int) throws -> [[UInt8]] {
    let field = try field(index)
    defer { writer.cleanse() }
    writer.padding = .none
    let payload = try PayloadReader(writer.encode(value))
    return try field.indexes(keys.unlocked()).map {
      try $0.token(payload.type, payload.value)
    }
  }
}
