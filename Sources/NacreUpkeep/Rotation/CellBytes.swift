import NacreCore
import NacreCrypto

/// The bytes of many cells one behind another, in memory that is used again and cleansed.
final class CellBytes {
  /// What is kept for the next batch; more was taken for some large value.
  private static let keptByteCount = 16 << 20

  // Unchecked: each cell of each row asks for them, on one thread.
  @exclusivity(unchecked)
  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  @exclusivity(unchecked) private(set) var count = 0

  deinit {
    removeAll()
    memory.deallocate()
  }

  /// Forgets and overwrites everything.
  func removeAll() {
    SecureMemory.cleanse(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
    count = 0
    guard memory.count > CellBytes.keptByteCount else { return }
    memory.deallocate()
    memory = .allocate(byteCount: 1 << 16, alignment: 16)
  }

  /// Room behind what is there; what was lent before may lie elsewhere now.
  func extend(by byteCount: Int) -> UnsafeMutableRawBufferPointer {
    if count + byteCount > memory.count { grow(to: count + byteCount) }
    let room = UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + byteCount])
    count += byteCount
    return room
  }

  /// Copies bytes behind what is there, and gives where they begin.
  func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    let start = count
    extend(by: bytes.count).copyMemory(from: bytes)
    return start
  }

  /// Gives the last bytes up.
  func truncate(to byteCount: Int) {
    SecureMemory.cleanse(UnsafeMutableRawBufferPointer(rebasing: memory[byteCount..<count]))
    count = byteCount
  }

  /// Bytes that were put here; valid until the next `extend`, `append` or `removeAll`.
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
