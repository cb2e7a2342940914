import Foundation
import NacreCrypto
import NacreSQLite

/// Seals and opens the properties of one entity on one connection, each bound to its cell.
final class FieldSealing {
  private let schema: EntitySchema
  // Unsafe holds: the database owns its plans, and they their sealing.
  private unowned(unsafe) let database: Database
  private let writer = PayloadWriter()
  private let scratch = ScratchBuffer()
  // Unchecked, for they are looked up at every value, by the one thread that has the connection.
  @exclusivity(unchecked) private var fields: [Field?]
  @exclusivity(unchecked) private var version: UInt64 = 0

  /// One sealed property: its context, and the session of its own provider where it has one.
  private final class Field {
    let context: FieldContext
    /// The storage class of the property's values; nil where it takes any.
    let declared: StorageClass?
    let session: (any CryptSession)?

    init(context: FieldContext, declared: StorageClass?, session: (any CryptSession)?) {
      self.context = context
      self.declared = declared
      self.session = session
    }
  }

  init(schema: EntitySchema, database: Database) {
    self.schema = schema
    self.database = database
    fields = Array(repeating: nil, count: schema.properties.count)
  }

  /// Seals a value that is not NULL and binds its envelope.
  func seal(
    _ value: Value,
    property index: Int,
    identity: ObjectID,
    into statement: any EngineStatement,
    at parameter: Int32
  ) throws {
    let field = try field(index)
    if let declared = field.declared, declared != value.storageClass {
      throw ValueError.unexpected(found: value.storageClass, expected: declared)
    }
    // The memory lives as long as the connection; the value need not.
    defer { writer.cleanse() }
    let payload = try payload(value)
    let objectID = ObjectIDBytes(identity)
    let sealed =
      if let session = field.session {
        try session.seal(payload, context: field.context, objectID: objectID, into: scratch)
      } else {
        try database.cryptSession().seal(
          payload,
          context: field.context,
          objectID: objectID,
          into: scratch
        )
      }
    try statement.bind(blob: sealed, at: parameter)
  }

  /// Opens the envelope in a column.
  func open(
    _ statement: any EngineStatement,
    at column: Int32,
    property index: Int,
    identity: ObjectID
  ) throws -> Value {
    guard let sealed = statement.bytes(at: column) else { throw NacreError(.notAnEnvelope) }
    let field = try field(index)
    defer { scratch.cleanse() }
    let payload = try PayloadReader(open(sealed, field, identity))
    // Nothing is converted: a value of another type was sealed by something else than this property.
    if let declared = field.declared { try payload.expect(PayloadType(declared)) }
    return try FieldSealing.value(payload)
  }

  /// A key that this process has not heard of may be new: the ring is read again, once.
  private func open(
    _ sealed: UnsafeRawBufferPointer,
    _ field: Field,
    _ identity: ObjectID
  ) throws -> UnsafeRawBufferPointer {
    let objectID = ObjectIDBytes(identity)
    if let session = field.session {
      return try session.open(sealed, context: field.context, objectID: objectID, into: scratch)
    }
    do {
      return try database.cryptSession().open(
        sealed,
        context: field.context,
        objectID: objectID,
        into: scratch
      )
    } catch let error as CryptoError where error.code == .unknownKey {
      let keys = database.home.keys
      guard try keys.follow(on: database.connection, isLater: true) else { throw error }
      return try database.cryptSession().open(
        sealed,
        context: field.context,
        objectID: objectID,
        into: scratch
      )
    }
  }

  private func field(_ index: Int) throws -> Field {
    let current = database.home.keys.version
    if current != version {
      // A provider may have been installed since.
      fields = Array(repeating: nil, count: fields.count)
      version = current
    }
    if let field = fields[index] { return field }
    let property = schema.properties[index]
    let field = Field(
      context: try FieldContext(
        storeID: database.home.storeID,
        entity: schema.name,
        property: property.name
      ),
      declared: property.kind.declaredClass,
      session: database.home.provider(entity: schema.name, property: property.name)?.session()
    )
    fields[index] = field
    return field
  }

  private func payload(_ value: Value) throws -> UnsafeRawBufferPointer {
    switch value {
    case .null: try writer.null()
    case .integer(let value): try writer.integer(value)
    case .real(let value): try writer.real(value)
    case .text(let value): try writer.text(value)
    case .blob(let value): try value.withUnsafeBytes { try writer.blob($0) }
    }
  }

  /// The value in an opened payload, whatever its type.
  static func value(_ payload: PayloadReader) throws -> Value {
    switch payload.type {
    case .null: .null
    case .integer: .integer(try payload.integer())
    case .real: .real(try payload.real())
    case .text: .text(try payload.text())
    case .blob: .blob(Data(try payload.blob()))
    }
  }
}

extension Property.Kind {
  fileprivate var declaredClass: StorageClass? {
    guard case .value(let kind) = self, !kind.takesAnyClass else { return nil }
    return kind.storageClass
  }
}

extension PayloadType {
  fileprivate init(_ storageClass: StorageClass) {
    self =
      switch storageClass {
      case .null: .null
      case .integer: .integer
      case .real: .real
      case .text: .text
      case .blob: .blob
      }
  }
}

extension ObjectIDBytes {
  init(_ identity: ObjectID) { self.init(high: identity.high, low: identity.low) }
}
