/// The sealing and opening of one connection, on raw memory.
///
/// Not thread-safe.
package protocol CryptSession: AnyObject {
  /// Call it at the start of each write transaction.
  func beginTransaction()

  /// Seals a payload.
  ///
  /// - Parameters:
  ///   - payload: The type byte and the value.
  ///   - context: The property.
  ///   - objectID: The row.
  ///   - suite: The suite that the property asks for, or nil for the ring's default; a session without a ring ignores
  ///     it.
  ///   - scratch: Receives the result.
  /// - Returns: The content of the column, valid until the scratch buffer is used again or freed.
  /// - Throws: `CryptoError`, or the error of the application's provider.
  func seal(
    _ payload: UnsafeRawBufferPointer,
    context: borrowing FieldContext,
    objectID: ObjectIDBytes,
    suite: Suite?,
    into scratch: ScratchBuffer
  ) throws -> UnsafeRawBufferPointer

  /// Opens the content of a column.
  ///
  /// - Returns: The payload, valid until the scratch buffer is used again or freed.
  func open(
    _ sealed: UnsafeRawBufferPointer,
    context: borrowing FieldContext,
    objectID: ObjectIDBytes,
    into scratch: ScratchBuffer
  ) throws -> UnsafeRawBufferPointer
}

extension CryptProvider {
  /// Makes a session for one connection.
  package func session() -> any CryptSession { HookSession(self) }
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
