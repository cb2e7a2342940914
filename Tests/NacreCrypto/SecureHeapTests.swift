import Dispatch
import Foundation
import NacreCrypto
import Synchronization
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// libcrypto keeps the generators of every thread in the secure heap that Nacre starts, and they must find room.
@Suite struct SecureHeapTests {
  /// Draws a key on so many threads, which all live until the last has drawn; gives how many could not.
  private static func failures(onThreads count: Int) -> Int {
    let failures = Atomic<Int>(0)
    let drawn = DispatchGroup()
    let end = DispatchSemaphore(value: 0)
    for _ in 0..<count {
      drawn.enter()
      Thread.detachNewThread {
        let secret = try? SecretBytes(random: 32)
        let words = try? RandomPool().next16()
        if secret == nil || words == nil { failures.add(1, ordering: .relaxed) }
        drawn.leave()
        end.wait()
      }
    }
    drawn.wait()
    for _ in 0..<count { end.signal() }
    return failures.load(ordering: .relaxed)
  }

  // Each in a process of its own, for they fill, or end, what is the process's.

  @Test func `keys are drawn on many threads at once`() async {
    await #expect(processExitsWith: .success) {
      #expect(SecureHeapTests.failures(onThreads: 400) == 0)
    }
  }

  @Test func `more secrets than the secure heap holds leave room for generators`() async {
    await #expect(processExitsWith: .success) {
      let secrets = try (0..<40_000).map { _ in try SecretBytes(random: 32) }
      #expect(SecureHeapTests.failures(onThreads: 100) == 0)
      #expect(secrets.allSatisfy { $0.count == 32 })
    }
  }

  @Test func `a process can exit while its threads hold secrets`() async {
    await #expect(processExitsWith: .success) {
      // Stands for a thread that goes on: it runs after whatever libcrypto does at exit, for it was installed before.
      atexit {
        let secret = try? SecretBytes(random: 32)
        if secret?.count != 32 { _exit(1) }
      }
      _ = try SecretBytes(random: 32)
      exit(0)
    }
  }
}
