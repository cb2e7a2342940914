import Dispatch
import Foundation
import NacreCore
import NacreCrypto
import NacreOpen
import Synchronization
import Testing
import TestSupport

/// Stores and key files that several make at once.
@Suite struct CreationTests {
  /// Runs `body` on two threads at once, and gives what it threw.
  private func together(_ body: @escaping @Sendable (Int) throws -> Void) -> [String] {
    let errors = Mutex<[String]>([])
    let done = DispatchGroup()
    for number in 0..<2 {
      done.enter()
      Thread.detachNewThread {
        do { try body(number) } catch { errors.withLock { $0.append("\(error)") } }
        done.leave()
      }
    }
    done.wait()
    return errors.withLock { $0 }
  }

  @Test func `several that make the same store end with one store and one key`() throws {
    for _ in 0..<60 {
      let directory = try TemporaryDirectory()
      let errors = together { _ in
        let unlock = Unlock.keyFile(directory.file("store.key"), createIfMissing: true)
        try Store.open(directory.file("store.db"), unlock: unlock).close()
      }
      #expect(errors.isEmpty)
    }
  }

  @Test func `several stores that make the same key file share one key`() throws {
    for _ in 0..<60 {
      let directory = try TemporaryDirectory()
      let path = directory.file("shared.key")
      let errors = together { number in
        let unlock = Unlock.keyFile(path, createIfMissing: true)
        try Store.open(directory.file("store\(number).db"), unlock: unlock).close()
      }
      #expect(errors.isEmpty)
      for number in 0..<2 {
        try Store.open(directory.file("store\(number).db"), unlock: .keyFile(path)).close()
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(names.filter { $0.contains("key") } == ["shared.key"])
    }
  }
}
