#if os(Linux)
import Foundation
import Nacre
import Testing
import TestSupport

/// A cursor's memory, measured in processes of their own, where no other test allocates.
@Suite struct CursorMemoryTests {
  /// The memory that the process has in use, in bytes.
  static func resident() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " "
    )
    let pages = try #require(fields.count > 1 ? Int(fields[1]) : nil)
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// 200,000 rows, whose texts alone are 25 MB.
  static func filledStore() throws -> TestStore {
    let test = try TestStore()
    try test.store.write { (database) throws in
      _ = try Sticker.count()
      let text = Numbered.digits(128, of: "n")
      try database.execute(Numbered.insert(200_000, into: "Sticker", "text", text))
    }
    return test
  }

  @Test func `a cursor over 200,000 rows needs no more memory at its end than at its start`()
    async
  {
    await #expect(processExitsWith: .success) {
      let test = try CursorMemoryTests.filledStore()
      try test.store.read { (_) throws in
        let cursor = try Sticker.cursor()
        var (count, peak, start) = (0, 0, 0)
        while try cursor.next() != nil {
          count += 1
          if count == 1000 { start = try CursorMemoryTests.resident() }
          if count.isMultiple(of: 1000) { peak = max(peak, try CursorMemoryTests.resident()) }
        }
        try #require(count == 200_000)
        try #require(peak - start < 6 << 20, "grew by \(peak - start) bytes")
      }
    }
  }

  @Test func `a loop over 200,000 rows needs no more memory at its end than at its start`()
    async
  {
    await #expect(processExitsWith: .success) {
      let test = try CursorMemoryTests.filledStore()
      var (count, peak, start) = (0, 0, 0)
      for try await _ in try await Sticker.in(test.store).cursor() {
        count += 1
        if count == 1000 { start = try CursorMemoryTests.resident() }
        if count.isMultiple(of: 1000) { peak = max(peak, try CursorMemoryTests.resident()) }
      }
      try #require(count == 200_000)
      try #require(peak - start < 6 << 20, "grew by \(peak - start) bytes")
    }
  }

  /// Shows that the measure above sees what it should.
  @Test func `fetchAll of the same rows needs their size`() async {
    await #expect(processExitsWith: .success) {
      let test = try CursorMemoryTests.filledStore()
      try test.store.read { (_) throws in
        let start = try CursorMemoryTests.resident()
        let all = try Sticker.fetchAll()
        let growth = try CursorMemoryTests.resident() - start
        try #require(all.count == 200_000 && growth > 25 << 20, "grew by \(growth) bytes")
      }
    }
  }
}
#endif
