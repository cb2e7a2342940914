import NacreCrypto

/// Opens sealed cells by the catalog alone: inspection, verification and export know no classes.
///
/// Not thread-safe. What was opened is overwritten as soon as it was looked at.
package final class CellOpener {
  package let ring: KeyRing
  private let opener: FieldOpener
  private let scratch = ScratchBuffer()

  package init(ring: KeyRing) {
    self.ring = ring
    opener = FieldOpener(ring: ring)
  }

  /// Opens an envelope and hands over the payload, which is gone when `body` returns.
  ///
  /// - Throws: ``CryptoError``, or what `body` throws.
  package func open<T>(
    _ sealed: UnsafeRawBufferPointer,
    in context: FieldContext,
    _ identity: ObjectID,
    _ body: (PayloadReader) throws -> T
  ) throws -> T {
    let out = try scratch.reserve(sealed.count)
    defer { scratch.cleanse() }
    let objectID = ObjectIDBytes(identity)
    let count = try opener.open(sealed, context: context, objectID: objectID, into: out)
    return try body(PayloadReader(UnsafeRawBufferPointer(rebasing: out[..<count])))
  }
}
