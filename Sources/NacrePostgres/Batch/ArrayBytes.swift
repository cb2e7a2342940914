#if PostgreSQL
/// An array of values in its binary form, which grows value by value (array_recv in PostgreSQL's sources).
struct ArrayBytes {
  private var bytes: [UInt8]
  private(set) var count = 0
  private var hasNull = false

  /// The number of dimensions, whether there are NULLs, the items' type, the length and the first index.
  private static let headerByteCount = 20

  /// Makes an array without items.
  init(_ type: WireType) {
    bytes = Array(repeating: 0, count: Self.headerByteCount)
    put(1, at: 0)
    put(type.rawValue, at: 8)
    put(1, at: 16)
  }

  private mutating func put(_ word: UInt32, at offset: Int) {
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: word.bigEndian, toByteOffset: offset, as: UInt32.self)
    }
  }

  /// Adds a value in its binary form; nil for NULL.
  mutating func append(_ value: UnsafeRawBufferPointer?) {
    count += 1
    let length = value.map { UInt32(truncatingIfNeeded: $0.count) } ?? .max
    withUnsafeBytes(of: length.bigEndian) { bytes.append(contentsOf: $0) }
    if let value { bytes.append(contentsOf: value) } else { hasNull = true }
  }

  /// Makes the array the value of a parameter.
  mutating func set(_ parameters: Parameters, at index: Int) {
    put(hasNull ? 1 : 0, at: 4)
    put(UInt32(truncatingIfNeeded: count), at: 12)
    bytes.withUnsafeBytes { parameters.set($0, at: index) }
  }

  /// Makes one of the items the value of a parameter.
  ///
  /// - Parameters:
  ///   - offset: The item's place, which becomes that of the next one; 0 for the first.
  ///   - parameters: The parameters.
  ///   - index: The parameter's place.
  func setItem(at offset: inout Int, _ parameters: Parameters, at index: Int) {
    bytes.withUnsafeBytes { bytes in
      let start = Self.headerByteCount + offset
      guard start + 4 <= bytes.count else { return }
      let length = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
      offset += 4
      guard length != .max else { return parameters.setNull(at: index) }
      parameters.set(
        UnsafeRawBufferPointer(rebasing: bytes[(start + 4)..<(start + 4 + Int(length))]),
        at: index
      )
      offset += Int(length)
    }
  }
}
#endif
