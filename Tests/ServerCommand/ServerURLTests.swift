#if PostgreSQL
import Foundation
import Testing
@testable import TestSupport

/// What the command does with URLs as such, before there is a connection.
@Suite struct ServerURLTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let secret = "Marker-7"

  /// Command lines with a password, among them ones whose error would quote it.
  private static let lines = [
    ["status", "postgresql://ada:Marker-7@db.example/garage"],
    ["status", "postgres://ada@db.example/garage?password=Marker-7"],
    ["status", "postgresql://db.example/garage?sslkey=k&sslpassword=Marker-7"],
    ["adopt", "old.db", "--mapping", "m.json", "--into=postgresql://ada:Marker-7@db.example/x"],
    ["statsu", "postgresql://ada:Marker-7@db.example/garage"],
    ["status", "garage.db", "postgresql://ada:Marker-7@db.example/garage"],
  ]

  @Test(arguments: lines)
  func `a URL with a password is refused and not shown`(line: [String]) throws {
    let outcome = try BuiltProduct.nacre.run(line)
    #expect(outcome.status == 64)
    #expect(outcome.complainsInOneLine)
    #expect(!outcome.everything.contains(Self.secret))
    for way in ["PGPASSFILE", "postgresql://?service=NAME"] {
      #expect(outcome.complaint.contains(way))
    }
  }

  @Test(arguments: [
    "postgresql://ada:Marker-7@[::1/garage", "postgresql://ada:Marker-7@db.example/x?nonsense=1",
  ])
  func `a malformed URL is refused and not shown`(url: String) throws {
    let outcome = try BuiltProduct.nacre.run(["status", url, "and more"])
    #expect(outcome.status == 10)
    #expect(outcome.complainsInOneLine)
    #expect(!outcome.everything.contains(Self.secret))
  }

  /// Commands of files alone; FILE stands for a file in an empty directory, and URL for the server's.
  private static let ofFiles = [
    ["backup", "URL", "FILE"], ["backup", "FILE", "URL"],
    ["header", "export", "URL", "FILE"], ["header", "export", "FILE", "URL"],
    ["header", "import", "URL", "FILE"], ["header", "import", "FILE", "URL"],
    ["convert", "URL", "--seal-file"], ["convert", "URL", "--unseal-file"],
    ["init", "URL", "--seal-file"],
    ["adopt", "URL", "--mapping", "FILE", "--into", "FILE"],
  ]

  @Test(arguments: ofFiles)
  func `commands of files alone say so, ask for nothing and make no file`(line: [String]) throws {
    let url = "postgresql://ada@/garage?host=/nowhere"
    let words = line.map { $0.replacing("URL", with: url) }
      .map { $0.replacing("FILE", with: directory.file("a.db")) }
    let asked = directory.file("asked")
    let outcome = try BuiltProduct.nacre.run(words + ["--key-command", "touch \(asked)"])
    #expect(outcome.status == 86)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.complaint.hasPrefix("nacre: A store on a server can't do this: "))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  @Test func `no list and no export gets the name of a URL`() throws {
    let store = try ServerStore()
    let url = "postgresql://ada@db.example/garage"
    for line in [["verify", "--list", url], ["export", "--output", url]] {
      let outcome = try store.nacre(line[0], line[1], line[2])
      #expect(outcome.status == 86)
      #expect(outcome.complaint.contains("a file belongs where the URL of a server was given"))
    }
  }
}
#endif
