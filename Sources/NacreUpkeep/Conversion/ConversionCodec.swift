import Foundation
import NacreCrypto
package import NacreEngine
import NacreSQLite
package import NacreStore

/// A codec that reads and makes the cells of one property in one form, as the catalog describes it.
package final class ConversionCodec {
  private let form: ConversionForm
  private let context: FieldContext
  private let database: Database
  private let provider: (any CryptSession)?
  private let writer = PayloadWriter()
  private let scratch = ScratchBuffer()
  private var index: BlindIndex?

  /// Makes a codec.
  ///
  /// - Throws: `schemaMismatch` if a hook seals the values and is not installed here.
  package init(_ place: ConversionPlace, _ form: ConversionForm, on database: Database) throws {
    self.form = form
    self.database = database
    context = try FieldContext(
      storeID: database.home.storeID,
      entity: place.entity,
      property: place.property
    )
    let hook = database.home.provider(entity: place.entity, property: place.property)
    if form.isHooked && hook == nil {
      throw NacreError(
        .schemaMismatch,
        detail: "the application's own provider seals this property; convert it in the application"
      )
    }
    provider = form.isHooked ? hook?.session() : nil
  }

  /// Returns the value of a cell.
  package func value(_ row: any PreparedStatement, at column: Int32, _ identity: ObjectID) throws
    -> Value
  {
    let found = row.storageClass(at: column)
    if found == .null { return .null }
    guard form.isSealed else {
      if form.type != .blob && found != form.type.storageClass {
        throw ValueError.unexpected(found: found, expected: form.type.storageClass)
      }
      return row.value(at: column)
    }
    guard found == .blob else { throw NacreError(.notAnEnvelope) }
    return try opened(row.blob(at: column), identity)
  }

  /// Returns the value of a cell of a sealed property.
  package func value(_ cell: Value, _ identity: ObjectID) throws -> Value {
    if cell == .null { return .null }
    guard case .blob(let envelope) = cell else { throw NacreError(.notAnEnvelope) }
    return try envelope.withUnsafeBytes { try opened($0, identity) }
  }

  private func opened(_ envelope: UnsafeRawBufferPointer, _ identity: ObjectID) throws -> Value {
    defer { scratch.cleanse() }
    let session: any CryptSession = try provider ?? database.cryptSession()
    let payload = try session.open(
      envelope,
      context: context,
      objectID: ObjectIDBytes(identity),
      into: scratch
    )
    return try Value(PayloadReader(payload))
  }

  /// Returns the content of a cell for a value: the value itself, or its envelope if the form is
  /// sealed.
  package func cell(_ value: Value, _ identity: ObjectID) throws -> Value {
    guard form.isSealed, value != .null || form.hidesNil else {
      if value == .null && !form.acceptsNull {
        throw ValueError.unexpected(found: .null, expected: form.type.storageClass)
      }
      return value
    }
    defer {
      writer.cleanse()
      scratch.cleanse()
    }
    writer.padding = form.sealing?.padding ?? .none
    let session: any CryptSession = try provider ?? database.cryptSession()
    let sealed = try session.seal(
      writer.encode(value),
      context: context,
      objectID: ObjectIDBytes(identity),
      suite: form.sealing?.suite,
      into: scratch
    )
    return .blob(Data(sealed))
  }

  /// Returns the blind index of a value; NULL if there is none.
  package func token(_ value: Value) throws -> Value {
    guard let options = form.index, value != .null || form.hidesNil else { return .null }
    let index = try index(options)
    defer { writer.cleanse() }
    writer.padding = .none
    let payload = try PayloadReader(writer.encode(value))
    return .blob(Data(try index.token(payload.type, payload.value)))
  }

  private func index(_ options: SealedForm.Index) throws -> BlindIndex {
    let key = try database.home.keys.unlocked().primary(.index)
    if let index, index.keyID == key.id { return index }
    let made = try BlindIndex(
      key: key,
      context: context,
      normalizer: options.normalizer,
      bits: options.bits
    )
    index = made
    return made
  }
}

extension ConversionForm.ColumnType {
  package var storageClass: StorageClass {
    switch self {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}
