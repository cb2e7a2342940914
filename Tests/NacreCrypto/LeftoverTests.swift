import Testing

@testable import NacreCrypto

/// The memory of bytes that were let go.
@Suite struct LeftoverTests {
  private static let mark: UInt8 = 0xA7

  /// Whether memory holds what was marked: a buffer has twice the bytes, and the allocator takes the first of them.
  private static func isMarked(_ memory: UnsafeRawBufferPointer) -> Bool {
    memory.filter { $0 == mark }.count > memory.count / 4
  }

  /// Whether memory of so many bytes, which the allocator hands out again, is marked.
  private static func isMarked(freed count: Int) -> Bool {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { memory.deallocate() }
    return isMarked(UnsafeRawBufferPointer(memory))
  }

  @Test func `a secret is overwritten when it is let go`() async {
    // In a process of its own, whose secure heap it fills: from then on secrets lie in ordinary memory.
    await #expect(processExitsWith: .success) {
      let others = try (0..<2000).map { _ in try SecretBytes(random: 512) }
      let marked = [UInt8](repeating: LeftoverTests.mark, count: 512)
      for _ in 0..<10 {
        do {
          let secret = try SecretBytes(marked)
          #expect(secret.withUnsafeBytes { LeftoverTests.isMarked($0) })
        }
        let next = try SecretBytes(count: 512) { (_) throws(CryptoError) in }
        #expect(!next.withUnsafeBytes { LeftoverTests.isMarked($0) })
      }
      #expect(others.count == 2000)
    }
  }

  @Test func `a buffer that grows or goes leaves nothing behind`() throws {
    for _ in 0..<10 {
      do {
        let scratch = ScratchBuffer()
        try scratch.reserve(128).initializeMemory(as: UInt8.self, repeating: Self.mark)
        _ = try scratch.reserve(1000)
        // At once: whatever is allocated before may take the same memory.
        let isMarked = Self.isMarked(freed: 256)
        #expect(!isMarked)
        try scratch.reserve(1000).initializeMemory(as: UInt8.self, repeating: Self.mark)
      }
      let isMarked = Self.isMarked(freed: 2000)
      #expect(!isMarked)
    }
  }

  @Test func `a pool erases the bytes that it hands out`() throws {
    let pool = RandomPool()
    let memory = try #require(
      Mirror(reflecting: pool).children.compactMap { $0.value as? UnsafeMutableRawBufferPointer }
        .first
    )
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 12, alignment: 1)
    defer { buffer.deallocate() }
    _ = try pool.next16()
    try pool.write12(to: #require(buffer.baseAddress))
    #expect(buffer.contains { $0 != 0 })
    #expect(memory[..<(16 + 12)].allSatisfy { $0 == 0 })
    #expect(memory[(16 + 12)...].contains { $0 != 0 })
  }
}
