#if PostgreSQL
import Foundation
import NacreOpen
import NacreStore
import Testing
@testable import TestSupport

#if os(Linux)
/// Asynchronous reads of a server, in a process of its own, where no other test has threads.
@Suite struct AsyncReadTests {
  private static func threadCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }

  /// Reads many times at once, and returns how many threads there were at most.
  private static func read(_ store: Store, times: Int) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<times {
        group.addTask {
          try await store.read { database in
            _ = try database.first("SELECT 1 FROM pg_sleep(0.02)")
            return try threadCount()
          }
        }
      }
      return try await group.reduce(0) { max($0, $1) }
    }
  }

  @Test func `two hundred reads at once hold no more threads than there are connections`()
    async throws
  {
    let url = try TestPlace.newSchema()
    await #expect(processExitsWith: .success) { [url = url as String] in
      let directory = try TemporaryDirectory()
      var options = StoreOptions.patient
      options.readerLimit = 2
      options.maximumReaderCount = 2
      let unlock = Unlock.keyFile(directory.file("store.key"), createIfMissing: true)
      let store = try await Store.open(url, unlock: unlock, options: options)
      // The tasks' own threads, and one of a read.
      let first = try await AsyncReadTests.read(store, times: 1)
      let most = try await AsyncReadTests.read(store, times: 200)
      let limit = first + options.maximumReaderCount + ProcessInfo.processInfo.activeProcessorCount
      try #require(most <= limit, "\(most) threads, and \(first) with one read")
      try await store.close()
    }
  }

  @Test func `while connections are opened for tasks, other tasks go on`() async throws {
    let url = try TestPlace.newSchema()
    await #expect(processExitsWith: .success) { [url = url as String] in
      let proxy = try ServerProxy()
      var options = StoreOptions.patient
      options.postgres.connectTimeout = 60
      let store = try await Store.open(proxy.url(url), options: options)
      // A new session begins with a message without a letter, and no server answers it.
      proxy.meet(.held, times: .max) { $0.direction == .toServer && $0.bytes.first == 0 }
      let count = 2 * ProcessInfo.processInfo.activeProcessorCount
      let begun = ContinuousClock.now
      let reads = (0..<count).map { _ in
        Task { try await store.read { _ = try $0.first("SELECT 1") } }
      }
      while proxy.counts.cuts < count { try await Task.sleep(for: .milliseconds(1)) }
      let time = ContinuousClock.now - begun
      try #require(time < .seconds(30), "other tasks waited for \(time)")
      proxy.close()
      for read in reads { await #expect(throws: NacreError.self) { try await read.value } }
    }
  }
}
#endif
#endif
