import Foundation
import NacreEngine
import NacreSQLite
import Testing

#if os(Linux)
@Suite struct TemporaryFileTests {
  /// The contents of SQLite's temporary files that the process has open, which have no name any more.
  private func temporaryFiles() throws -> [Data] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
      let path = "/proc/self/fd/" + number
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path),
        target.contains("etilqs_")
      else { return nil }
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
  }

  @Test func `what a sort and a temporary table write lies sealed`() throws {
    let scene = try SealedScene()
    let connection = try scene.open()
    try connection.execute(SealedScene.createTable + "; PRAGMA temp_store = FILE")
    let marker = "temporary-marker-\(UUID().uuidString)"
    try connection.transaction(.immediate) { try connection.insert(0..<3000, marker) }
    try connection.execute("PRAGMA cache_size = 10; PRAGMA temp.cache_size = 10")
    try connection.execute("CREATE TEMP TABLE copied AS SELECT * FROM t")
    let sorted = try connection.prepare(
      "SELECT text FROM t NOT INDEXED ORDER BY substr(text, 40) DESC, id DESC"
    )
    #expect(try sorted.step())
    let files = try temporaryFiles()
    #expect(files.reduce(0) { $0 + $1.count } > 1_000_000)
    for file in files { #expect(file.range(of: Data(marker.utf8)) == nil) }
    var count = 1
    while try sorted.step() { count += 1 }
    #expect(count == 3000)
    #expect(
      try connection.integer("SELECT count(*) FROM copied WHERE text GLOB '\(marker)*'") == 3000
    )
  }
}
#endif
