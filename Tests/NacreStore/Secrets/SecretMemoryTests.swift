import Foundation
import NacreCore
import NacreCrypto
import Testing
@testable import TestSupport

/// Where secrets lie in memory, and how objects move to a store of another secret.
@Suite struct SecretMemoryTests {
  #if os(Linux)
  @Test func `a secret lies in memory that is locked and left out of core dumps`() async throws {
    // In a process of its own, where no other test has filled the secure heap.
    await #expect(processExitsWith: .success) {
      let secret = try SecretBytes(random: 32)
      let flags = try secret.withUnsafeBytes { try SecretMemoryTests.flags(at: $0) }
      #expect(flags.contains("dd"))
      let mayLock = try SecretMemoryTests.mayLock
      #expect(flags.contains("lo") || !mayLock)
    }
  }

  /// Whether the limit of locked memory (proc(5), limits) has room for the secure heap's 1 MiB and what else is locked.
  private static var mayLock: Bool {
    get throws {
      let line = try KernelFile.lines(of: "/proc/self/limits").first {
        $0.hasPrefix("Max locked memory")
      }
      let soft = line?.dropFirst("Max locked memory".count).split(separator: " ").first ?? "0"
      return soft == "unlimited" || Int(soft) ?? 0 >= 1 << 21
    }
  }

  /// The flags that the kernel shows for the mapping in which `bytes` lie (proc(5), VmFlags).
  private static func flags(at bytes: UnsafeRawBufferPointer) throws -> [Substring] {
    let address = UInt(bitPattern: bytes.baseAddress)
    var isHere = false
    for line in try KernelFile.lines(of: "/proc/self/smaps") {
      let bounds = line.prefix { $0 != " " }.split(separator: "-").map { UInt($0, radix: 16) }
      if bounds.count == 2, let start = bounds[0], let end = bounds[1] {
        isHere = (start..<end).contains(address)
      } else if isHere, line.hasPrefix("VmFlags:") {
        return line.split(separator: " ")
      }
    }
    return []
  }
  #endif

  @Test func `objects move to a store of another secret, where the old one opens nothing`() throws {
    let (leaked, fresh) = (try Scene(), try Scene())
    let old = try leaked.open()
    let vault = Vault.create()
    vault.secret = Marker.text
    try leaked.save(vault, in: old)
    let new = try fresh.open(Scene.wrong)
    for vault in try old.read({ _ in try Vault.fetchAll() }) {
      vault.use(new)
      try vault.save()
    }
    #expect(try new.read { _ in try Vault.fetch(id: vault.objectID)?.secret } == Marker.text)
    try new.close()
    expectError(.wrongSecret) { _ = try fresh.open() }
  }
}
