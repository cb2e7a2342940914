import NacreCrypto
import NacreEngine

/// Opens sealed cells by the catalog alone, because inspection, verification and export know no
/// classes.
///
/// It is not thread-safe. It overwrites each opened value as soon as the caller has looked at it.
package final class CellOpener {
  package let ring: KeyRing
  private let opener: FieldOpener
  private let scratch = ScratchBuffer()

  package init(ring: KeyRing) {
    self.ring = ring
    opener = FieldOpener(ring: ring)
  }

  /// Opens an envelope and passes its payload to `body`; the payload is cleansed when `body`
  /// returns.
  ///
  /// - Throws: ``CryptoError``, or the error of `body`.
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
