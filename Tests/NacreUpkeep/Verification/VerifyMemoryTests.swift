import NacreUpkeep

#if os(Linux)
import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// The memory of verification, export and import, in processes of their own, where no other test allocates.
@Suite struct VerifyMemoryTests {
  static func resident() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      .split(separator: " ")
    let pages = try #require(fields.count > 1 ? Int(fields[1]) : nil)
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Objects of five sealed values and two nils each: 100,000 are 70 MB in the file.
  static func filledStore(_ count: Int) throws -> (Scene, Store) {
    let scene = try Scene()
    let store = try scene.open()
    for start in stride(from: 0, to: count, by: 10_000) {
      try store.write { _ in
        for index in start..<start + 10_000 {
          let badge = Badge.make("\(index)") {
            $0.plate = "plate \(index)"
            $0.name = String(repeating: "x", count: 64)
          }
          try badge.save()
        }
      }
    }
    return (scene, store)
  }

  @Test func `a verification needs no more memory at its end than at its start`() async {
    await #expect(processExitsWith: .success) {
      let count = 100_000
      let (scene, store) = try VerifyMemoryTests.filledStore(count)
      var options = VerificationOptions()
      options.batchSize = 5_000
      var (start, peak) = (0, 0)
      let report = try store.verify(
        options,
        progress: { progress in
          let now = (try? VerifyMemoryTests.resident()) ?? .max
          if progress.done <= 10_000 { start = max(start, now) }
          peak = max(peak, now)
          return true
        }
      )
      try #require(report.isSound && report.rowCount == count)
      try #require(report.openedCount == 5 * count)
      try #require(peak - start < 6 << 20, "grew by \(peak - start) bytes")
      withExtendedLifetime(scene) {}
    }
  }

  @Test func `export and import need no more memory at their end than at their start`() async {
    await #expect(processExitsWith: .success) {
      let count = 40_000
      let (scene, store) = try VerifyMemoryTests.filledStore(count)
      let path = scene.directory.file("lines")
      try Data().write(to: URL(fileURLWithPath: path))
      let output = try #require(FileHandle(forWritingAtPath: path))
      var (lines, start, peak) = (0, 0, 0)
      func measure() throws {
        lines += 1
        guard lines.isMultiple(of: 5_000) else { return }
        let now = try VerifyMemoryTests.resident()
        if lines <= 10_000 { start = max(start, now) }
        peak = max(peak, now)
      }
      try store.export(revealing: true) {
        try output.write(contentsOf: $0)
        try measure()
      }
      try #require(lines == count + 2)
      try #require(peak - start < 6 << 20, "grew by \(peak - start) bytes")
      let other = try Scene()
      let target = try other.open(Scene.wrong)
      let reader = LineReader(try #require(FileHandle(forReadingAtPath: path)))
      (lines, start, peak) = (0, 0, 0)
      let report = try target.importLines {
        try measure()
        return try reader.next()
      }
      try #require(report.objectCount == count)
      try #require(peak - start < 6 << 20, "grew by \(peak - start) bytes")
      withExtendedLifetime((scene, other)) {}
    }
  }
}
#endif
