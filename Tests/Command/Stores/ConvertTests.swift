import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import TestSupport
import Testing

/// `nacre convert`: a plain store that becomes a sealed file, and a sealed file that becomes a plain store.
@Suite struct ConvertTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("store.db") }
  private var key: [String] { ["--key-file", directory.file("store.key")] }

  init() throws { directory = try TemporaryDirectory() }

  private func nacre(_ words: [String]) throws -> BuiltProduct.Outcome {
    try BuiltProduct.nacre.run(words + key, input: "")
  }

  private func make() throws -> Store {
    #expect(try nacre(["init", path]).status == 0)
    return try Store.open(path, unlock: .keyFile(directory.file("store.key")))
  }

  private func isPlain() throws -> Bool {
    try directory.bytes("store.db").starts(with: Data("SQLite format 3\0".utf8))
  }

  @Test func `a store is converted, says so, and holds what it held`() throws {
    let store = try make()
    try Account.save(20, in: store)
    try store.close()
    let sealed = try nacre(["convert", path, "--seal-file"])
    #expect(sealed.status == 0, "\(sealed.complaint)")
    #expect(
      sealed.output.contains(/store\.db is a sealed file now, store [0-9a-f]{32}, verified\.\n/)
    )
    #expect(sealed.output.contains("The plain file was deleted; a disk may still hold its blocks."))
    #expect(
      try directory.bytes("store.db").range(of: Data("holder-in-a-plain-column".utf8)) == nil
    )
    let again = try nacre(["convert", path, "--seal-file"])
    #expect(again.status == 0)
    #expect(again.output.hasSuffix("store.db is a sealed file already; nothing was changed.\n"))
    let plain = try nacre(["convert", path, "--unseal-file"])
    #expect(plain.status == 0, "\(plain.complaint)")
    #expect(try isPlain())
    let opened = try Store.open(path, unlock: .keyFile(directory.file("store.key")))
    let found = try opened.read { _ in try Account.fetchAll().map(\.iban) }
    #expect(Set(found) == Set((0..<20).map { "DE-\($0)" }))
    try opened.close()
  }

  @Test func `a store with an anchor gets a new one on the way`() throws {
    let store = try make()
    _ = try store.anchor()
    try store.close()
    let sealed = try nacre(["convert", path, "--seal-file"])
    let line = try #require(
      sealed.output.split(separator: "\n").first { $0.contains("Its new anchor") }
    )
    let anchor = try #require(line.split(separator: " ").last)
    #expect(try nacre(["status", path, "--expect", String(anchor)]).status == 0)
  }

  @Test func `what can't be converted stays as it is, and says why`() throws {
    let store = try make()
    try Account.save(1, in: store)
    let open = try nacre(["convert", path, "--seal-file"])
    #expect(open.status == 82)
    #expect(open.complainsInOneLine)
    #expect(try store.rotate(progress: { _ in .stop }).outcome == .stopped)
    try store.close()
    #expect(try nacre(["convert", path, "--seal-file"]).status == 41)
    #expect(try isPlain())
    #expect(try nacre(["convert", path]).status == 64)
    #expect(try nacre(["convert", path, "--seal-file", "--unseal-file"]).status == 64)
    #expect(try nacre(["convert", directory.file("none.db"), "--seal-file"]).status == 10)
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(!left.contains { $0.hasPrefix("none") || $0.contains("nconvert") })
  }
}
