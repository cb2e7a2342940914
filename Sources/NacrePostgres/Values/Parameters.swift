#if PostgreSQL
import NacreEngine

/// The values that are bound to a statement's parameters, as libpq takes them: lists of pointers, lengths and formats.
final class Parameters {
  let count: Int
  let values: UnsafeMutablePointer<UnsafePointer<CChar>?>
  let lengths: UnsafeMutablePointer<Int32>
  /// 1 for the binary form of a value, 0 for its text.
  let formats: UnsafeMutablePointer<Int32>
  /// The memory of each value, which is used again.
  private var memory: [UnsafeMutableRawBufferPointer]

  /// Makes the parameters, all NULL.
  init(count: Int) {
    self.count = count
    values = .allocate(capacity: max(count, 1))
    lengths = .allocate(capacity: max(count, 1))
    formats = .allocate(capacity: max(count, 1))
    memory = Array(repeating: UnsafeMutableRawBufferPointer(start: nil, count: 0), count: count)
    clear()
  }

  deinit {
    for buffer in memory { buffer.deallocate() }
    values.deallocate()
    lengths.deallocate()
    formats.deallocate()
  }

  /// The number of bytes of all values.
  var byteCount: Int { (0..<count).reduce(0) { $0 + Int(lengths[$1]) } }

  /// Returns the bytes of a value; nil for NULL.
  func bytes(at index: Int) -> UnsafeRawBufferPointer? {
    values[index].map { UnsafeRawBufferPointer(start: $0, count: Int(lengths[index])) }
  }

  /// Sets every parameter to NULL, and frees large values.
  func clear() {
    for index in 0..<count { setNull(at: index) }
  }

  func setNull(at index: Int) {
    values[index] = nil
    lengths[index] = 0
    formats[index] = 1
    if memory[index].count > 65_536 {
      memory[index].deallocate()
      memory[index] = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
  }

  /// Returns the memory for a value of this many bytes, and makes it the parameter's value.
  func set(at index: Int, byteCount: Int, isText: Bool) -> UnsafeMutableRawBufferPointer {
    // libpq takes a text up to its NUL, and NULL is a missing pointer.
    let needed = byteCount + 1
    if memory[index].count < needed {
      memory[index].deallocate()
      memory[index] = .allocate(byteCount: max(needed, 32), alignment: 8)
    }
    values[index] = memory[index].baseAddress.map {
      UnsafePointer($0.assumingMemoryBound(to: CChar.self))
    }
    lengths[index] = Int32(clamping: byteCount)
    formats[index] = isText ? 0 : 1
    memory[index][byteCount] = 0
    return UnsafeMutableRawBufferPointer(rebasing: memory[index][..<byteCount])
  }

  /// Sets a parameter to an integer in its binary form.
  func set<T: FixedWidthInteger>(_ value: T, at index: Int) {
    set(at: index, byteCount: MemoryLayout<T>.size, isText: false)
      .storeBytes(of: value.bigEndian, as: T.self)
  }

  /// Sets a parameter to bytes.
  func set(_ bytes: UnsafeRawBufferPointer, at index: Int, isText: Bool = false) {
    set(at: index, byteCount: bytes.count, isText: isText).copyMemory(from: bytes)
  }

  /// Sets a parameter to a text in its text form.
  func set(text: String, at index: Int) {
    var text = text
    text.withUTF8 { set(UnsafeRawBufferPointer($0), at: index, isText: true) }
  }
}
#endif
