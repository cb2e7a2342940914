import NacreStore
import NacreCrypto

/// The bytes of many cells, one after another, in memory that is reused and cleansed.
final class CellBytes {
  /// The largest buffer that is kept for the next batch; a large value may have needed more.
  private static let keptByteCount = 16 << 20

  // Unchecked: one thread reads them for each cell of each row.
  @exclusivity(unchecked)
  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  @exclusivity(unchecked) private(set) var count = 0

  deinit {
    removeAll()
    memory.deallocate()
  }

  /// Overwrites and removes everything.
  func removeAll() {
    truncate(to: 0)
    guard memory.count > CellBytes.keptByteCount else { return }
    memory.deallocate()
    memory = .allocate(byteCount: 1 << 16, alignment: 16)
  }

  /// Appends uninitialized room; this may move the bytes that were lent before.
  func extend(by byteCount: Int) -> UnsafeMutableRawBufferPointer {
    if count + byteCount > memory.count { grow(to: count + byteCount) }
    let room = UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + byteCount])
    count += byteCount
    return room
  }

  /// Appends a copy of the bytes, and returns where they begin.
  func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    let start = count
    extend(by: bytes.count).copyMemory(from: bytes)
    return start
  }

  /// Overwrites and removes the bytes beyond a length.
  func truncate(to byteCount: Int) {
    SecureMemory.cleanse(UnsafeMutableRawBufferPointer(rebasing: memory[byteCount..<count]))
    count = byteCount
  }

  /// Bytes that were stored here; valid until the next `extend`, `append` or `removeAll`.
  func bytes(at start: Int, count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory[start..<start + count])
  }

  private func grow(to byteCount: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(byteCount, memory.count * 2),
      alignment: 16
    )
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
    SecureMemory.cleanse(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
    memory.deallocate()
    memory = larger
  }
}
