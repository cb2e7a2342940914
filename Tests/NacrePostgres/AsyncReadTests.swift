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
}
#endif
#endif
