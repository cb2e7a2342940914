import Foundation
import NacreCrypto
import NacreSQLite

/// Seals and opens the properties of one entity on one connection, each bound to its cell.
final class FieldSealing {
  private let schema: EntitySchema
  private unowned let database: Database
  private let writer = PayloadWriter()
  private let scratch = ScratchBuffer()
  private var fields: [Field?]

  /// One sealed property: its context, and the session of its own provider where it has one.
  private struct Field {
    let context: FieldContext
    let session: (any CryptSession)?
  }

  init(schema: EntitySchema, database: Database) {
    self.schema = schema
    self.database = database
    fields = Array(repeating: nil, count: schema.properties.count)
  }

  /// Seals a value that is not NULL and binds its envelope.
  func seal(
    _ value: Value, property index: Int, identity: ObjectID, into statement: any EngineStatement,
    at parameter: Int32
  ) throws {
    let field = try field(index)
    let payload = try payload(value)
    let session = try field.session ?? database.cryptSession()
    let sealed = try session.seal(
      payload, context: field.context, objectID: ObjectIDBytes(identity), into: scratch)
    try statement.bind(blob: sealed, at: parameter)
  }

  /// Opens the envelope in a column.
  func open(
    _ statement: any EngineStatement, at column: Int32, property index: Int, identity: ObjectID
  ) throws -> Value {
    guard statement.storageClass(at: column) == .blob else { throw NacreError(.notAnEnvelope) }
    let field = try field(index)
    let payload = try open(statement.blob(at: column), field, identity)
    let value = try FieldSealing.value(PayloadReader(payload))
    scratch.cleanse()
    return value
  }

  /// A key that this process has not heard of may be new: the ring is read again, once.
  private func open(
    _ sealed: UnsafeRawBufferPointer, _ field: Field, _ identity: ObjectID
  ) throws -> UnsafeRawBufferPointer {
    let session = try field.session ?? database.cryptSession()
    do {
      return try session.open(
        sealed, context: field.context, objectID: ObjectIDBytes(identity), into: scratch)
    } catch let error as CryptoError where error.code == .unknownKey {
      guard try database.store.keys.follow(on: database.connection) else { throw error }
      return try database.cryptSession().open(
        sealed, context: field.context, objectID: ObjectIDBytes(identity), into: scratch)
    }
  }

  private func field(_ index: Int) throws -> Field {
    if let field = fields[index] { return field }
    let property = schema.properties[index]
    let field = Field(
      context: try FieldContext(
        storeID: database.store.storeID, entity: schema.name, property: property.name),
      session: database.store.provider(entity: schema.name, property: property.name)?.session())
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

extension ObjectIDBytes {
  init(_ identity: ObjectID) { self.init(high: identity.high, low: identity.low) }
}
