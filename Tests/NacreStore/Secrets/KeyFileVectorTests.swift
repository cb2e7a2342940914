import Foundation
import NacreCrypto
@testable import NacreStore
import TestSupport
import Testing

@testable import NacreCore

/// Runs the key files of Vectors/keys.json: the other cases are NacreCrypto's.
@Suite struct KeyFileVectorTests {
  private struct File: Decodable {
    let cases: [Case]
  }

  private struct Case: Decodable {
    let comment: String
    let expect: String
    let kind: String
    let text: String?
    let key: String?
  }

  private let cases: [Case]
  private let directory: TemporaryDirectory

  init() throws {
    let vectors = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors/keys.json")
    let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: vectors))
    cases = file.cases.filter { $0.kind == "keyFile" }
    directory = try TemporaryDirectory()
  }

  /// What `KeyFile` makes of a text, in lower-case hex.
  private func read(_ text: String, named name: String) throws -> String {
    let path = directory.file(name)
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    let isMade = FileManager.default.createFile(
      atPath: path,
      contents: Data(text.utf8),
      attributes: attributes
    )
    try #require(isMade)
    return try KeyFile.read(from: path).withUnsafeBytes { $0.hex }
  }

  @Test func `every key file of the vectors opens, or is refused, as its case says`() throws {
    for (number, one) in cases.enumerated() {
      let text = try #require(one.text)
      do {
        let key = try read(text, named: "\(number).key")
        #expect(one.expect == "opens", "\(one.comment)")
        #expect(key == one.key, "\(one.comment)")
      } catch let error as NacreError {
        #expect(error.code == .badKeyFile, "\(one.comment)")
        #expect(one.expect == "badKeyFile", "\(one.comment)")
      }
    }
    #expect(cases.contains { $0.expect == "opens" } && cases.contains { $0.expect != "opens" })
  }
}
