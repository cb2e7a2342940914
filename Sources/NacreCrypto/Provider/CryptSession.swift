/// What one connection seals and opens with, on raw memory.
///
/// Not thread-safe.
package protocol CryptSession: AnyObject {
  /// To be called at the start of each write transaction.
  func beginTransaction()

  /// Seals a payload.
  ///
  /// - Parameters:
  ///   - payload: the type byte and the value.
  ///   - context: the property.
  ///   - objectID: the row.
  ///   - suite: the suite that the property asks for, nil for the ring's default; a session on something else than
  ///     a ring has none.
  ///   - scratch: takes what comes back.
  /// - Returns: what the column shall hold, valid until the scratch buffer is used again or freed.
  /// - Throws: `CryptoError`, or what the application's provider throws.
  func seal(
    _ payload: UnsafeRawBufferPointer,
    context: borrowing FieldContext,
    objectID: ObjectIDBytes,
    suite: Suite?,
    into scratch: ScratchBuffer
  ) throws -> UnsafeRawBufferPointer

  /// Opens what a column holds.
  ///
  /// - Returns: the payload, valid until the scratch buffer is used again or freed.
  func open(
    _ sealed: UnsafeRawBufferPointer,
    context: borrowing FieldContext,
    objectID: ObjectIDBytes,
    into scratch: ScratchBuffer
  ) throws -> UnsafeRawBufferPointer
}

/// A provider that has a faster way than arrays of bytes.
package protocol CryptSessionSource: CryptProvider {
  /// A session for one connection.
  func makeSession() -> any CryptSession
}

extension CryptProvider {
  /// A session for one connection: the provider's own if it has one, else an adaptor.
  package func session() -> any CryptSession {
    if let source = self as? any CryptSessionSource { return source.makeSession() }
    return HookSession(self)
  }
}

/// Lets a provider that works on arrays serve a connection.
final class HookSession: CryptSession {
  private let provider: any CryptProvider

  init(_ provider: any CryptProvider) { self.provider = provider }

  func beginTransaction() {}

  func seal(
    _ payload: UnsafeRawBufferPointer,
    context: borrowing FieldContext,
    objectID: ObjectIDBytes,
    suite: Suite?,
    into scratch: ScratchBuffer
  ) throws -> UnsafeRawBufferPointer {
    let place = SealingContext(context, objectID: objectID)
    return try keep(try provider.seal(Array(payload), in: place), in: scratch)
  }

  func open(
    _ sealed: UnsafeRawBufferPointer,
    context: borrowing FieldContext,
    objectID: ObjectIDBytes,
    into scratch: ScratchBuffer
  ) throws -> UnsafeRawBufferPointer {
    let place = SealingContext(context, objectID: objectID)
    return try keep(try provider.open(Array(sealed), in: place), in: scratch)
  }

  private func keep(
    _ bytes: [UInt8],
    in scratch: ScratchBuffer
  ) throws(CryptoError) -> UnsafeRawBufferPointer {
    let out = try scratch.reserve(bytes.count)
    bytes.withUnsafeBytes { out.copyMemory(from: $0) }
    return UnsafeRawBufferPointer(out)
  }
}
