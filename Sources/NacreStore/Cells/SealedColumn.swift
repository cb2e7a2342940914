import Foundation
package import NacreCrypto
package import NacreEngine

/// A column of sealed cells: what binds them, how they are sealed, and their blind index.
///
/// The caller gives the session that has the keys. So a column also serves a property that an
/// application's own provider seals, and a ring that changes. It overwrites each plaintext as soon
/// as the caller has looked at it. It is not thread-safe.
package final class SealedColumn {
  package let context: FieldContext
  package let sealing: CatalogProperty.Sealing
  private let writer = PayloadWriter()
  private let scratch = ScratchBuffer()
  private var blind: (ring: KeyRing, indexes: [BlindIndex])?

  package init(_ context: FieldContext, _ sealing: CatalogProperty.Sealing?) {
    self.context = context
    self.sealing = sealing ?? CatalogProperty.Sealing(form: SealedForm())
  }

  /// Makes the column of a property as the catalog describes it.
  ///
  /// - Throws: `lengthTooLarge` for a name that is too long.
  package convenience init(
    _ property: CatalogProperty,
    of entity: String,
    in storeID: StoreID
  ) throws(CryptoError) {
    self.init(try property.context(of: entity, in: storeID), property.sealing)
  }

  // MARK: Opening

  /// Opens an envelope and passes its payload to `body`.
  ///
  /// - Throws: ``CryptoError``, the error of the application's provider, or the error of `body`.
  package func open<T>(
    _ sealed: UnsafeRawBufferPointer,
    of identity: ObjectID,
    by session: any CryptSession,
    _ body: (PayloadReader) throws -> T
  ) throws -> T {
    defer { scratch.cleanse() }
    let payload = try session.open(
      sealed,
      context: context,
      objectID: ObjectIDBytes(identity),
      into: scratch
    )
    return try body(PayloadReader(payload))
  }

  /// Returns the value of a cell.
  ///
  /// - Throws: `notAnEnvelope` for a cell that is no BLOB; the errors of opening.
  package func value(
    _ cell: Value,
    of identity: ObjectID,
    by session: any CryptSession
  ) throws -> Value {
    guard case .blob(let sealed) = cell else { throw NacreError(.notAnEnvelope) }
    return try sealed.withUnsafeBytes { sealed in
      try open(sealed, of: identity, by: session) { try Value($0) }
    }
  }

  /// Returns the value of the cell in a column of the current row.
  ///
  /// - Throws: `notAnEnvelope` for a cell that is no BLOB; the errors of opening.
  package func value(
    _ row: any PreparedStatement,
    at column: Int32,
    of identity: ObjectID,
    by session: any CryptSession
  ) throws -> Value {
    guard let sealed = row.bytes(at: column) else { throw NacreError(.notAnEnvelope) }
    return try open(sealed, of: identity, by: session) { try Value($0) }
  }

  // MARK: Sealing

  /// Seals a value, also a nil, and returns its cell.
  ///
  /// - Throws: ``CryptoError``, or the error of the application's provider.
  package func seal(
    _ value: Value,
    of identity: ObjectID,
    by session: any CryptSession
  ) throws -> Value {
    // Clear the memory: it lives as long as the column, but the plaintext must not.
    defer { writer.cleanse() }
    writer.padding = sealing.padding
    let sealed = try session.seal(
      writer.encode(value),
      context: context,
      objectID: ObjectIDBytes(identity),
      suite: sealing.suite,
      into: scratch
    )
    return .blob(Data(sealed))
  }

  /// Passes the payload that a value would have to `body`.
  package func payload<T>(of value: Value, _ body: (PayloadReader) throws -> T) throws -> T {
    defer { writer.cleanse() }
    writer.padding = .none
    return try body(PayloadReader(writer.encode(value)))
  }

  // MARK: Indexing

  /// Returns the indexes under every key that may have made a token, the primary key's first; empty
  /// if the column has no index.
  package func indexes(in ring: KeyRing) throws -> [BlindIndex] {
    guard let index = sealing.form.index else { return [] }
    if let blind, blind.ring === ring { return blind.indexes }
    let made = try BlindIndex.all(
      ring,
      context: context,
      normalizer: index.normalizer,
      bits: index.bits
    )
    blind = (ring, made)
    return made
  }

  /// Returns the index under the primary key; nil if the column has no index.
  ///
  /// - Throws: `noPrimaryKey`.
  package func index(in ring: KeyRing) throws -> BlindIndex? {
    if sealing.form.index == nil { return nil }
    let primary = try ring.primary(.index).id
    return try indexes(in: ring).first { $0.keyID == primary }
  }
}

extension CatalogProperty.Sealing {
  /// Returns the suite that seals under a ring; nil for the store's own suite, also if the wanted
  /// suite has no key.
  ///
  /// Existing values are readable under any suite.
  package func suite(in ring: KeyRing) -> Suite? {
    ring.primaryID(.field, suite: suite) == nil ? nil : suite
  }
}

extension EngineConnection {
  /// Returns whether another object than the given one has a token.
  ///
  /// SQLite's unique index compares only the tokens of one key, and while an index key is being
  /// rotated there are several.
  package func isTaken(
    _ token: [UInt8],
    in index: String,
    of table: String,
    but identity: ObjectID
  ) throws -> Bool {
    let arguments: [Value] = [.blob(identity.data), .blob(Data(token))]
    return try scalar(VerifySQL.otherHasToken(table: table, index: index), arguments) != nil
  }
}
