/// The 53 bytes that bind a value to its place: `D ‖ suite ‖ keyID ‖ objectID[16]`.
///
/// The bytes are kept and overwritten in place, so that no seal allocates.
struct AssociatedData: ~Copyable {
  static let byteCount = 32 + 1 + 4 + 16

  private let memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: AssociatedData.byteCount,
    alignment: 8
  )

  deinit { memory.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }

  /// Writes the suite and the key id, which change with the key.
  @inline(__always)
  func set(suite: Suite, keyID: KeyID) {
    guard let base = memory.baseAddress else { return }
    base.storeBytes(of: suite.rawValue, toByteOffset: 32, as: UInt8.self)
    base.store(bigEndian: keyID.rawValue, at: 33)
  }

  /// Writes the context and the objectID, which change with the property and the object.
  @inline(__always)
  func set(_ context: borrowing FieldContext, objectID: ObjectIDBytes) {
    guard let base = memory.baseAddress else { return }
    base.storeBytes(of: context.digest.0, as: UInt64.self)
    base.storeBytes(of: context.digest.1, toByteOffset: 8, as: UInt64.self)
    base.storeBytes(of: context.digest.2, toByteOffset: 16, as: UInt64.self)
    base.storeBytes(of: context.digest.3, toByteOffset: 24, as: UInt64.self)
    base.store(bigEndian: objectID.high, at: 37)
    base.store(bigEndian: objectID.low, at: 45)
  }
}
