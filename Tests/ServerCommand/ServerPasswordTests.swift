#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import TestSupport

/// The command on a server that wants a password.
@Suite struct ServerPasswordTests {
  private let server: Cluster
  private let directory: TemporaryDirectory
  private static let prompt = "Password for user ada: "

  init() throws {
    directory = try TemporaryDirectory()
    server = try .wanting(password: "Marker-1")
  }

  private var url: String { server.url(of: "ada") }
  private var unlocked: [String] { ["--key-file", directory.file("bank.key")] }

  /// A file of `PGPASSFILE`.
  private func passwordFile(_ password: String) throws -> String {
    let file = directory.file("passwords")
    try Data("*:*:*:ada:\(password)\n".utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    return file
  }

  private static let detached = "/usr/bin/setsid"

  /// Runs a command without a terminal.
  private func run(_ arguments: [String], environment: [String: String] = [:]) throws
    -> BuiltProduct.Outcome
  {
    try BuiltProduct.nacre.run(
      arguments,
      input: "Marker-1\n",
      environment: environment,
      through: [Self.detached, "--wait"]
    )
  }

  @Test(.enabled(if: TerminalSession.isAvailable))
  func `the password is asked for once in a command, and is not shown`() throws {
    var shown = ""
    let lines = [["init"], ["key", "add"], ["slot", "list"], ["rotate"], ["verify"], ["status"]]
    for line in lines {
      let session = try TerminalSession(.nacre, line + [url] + unlocked)
      try session.answer(Self.prompt, "Marker-1")
      #expect(session.finish() == 0, "\(session.text)")
      #expect(
        session.text.split(separator: "Password", omittingEmptySubsequences: false).count == 2
      )
      shown += session.text
    }
    #expect(shown.contains("Made postgresql://ada@/postgres") && shown.contains("verified"))
    #expect(!shown.contains("Marker-1"))
  }

  @Test(.enabled(if: TerminalSession.isAvailable))
  func `the password comes before the passphrase, and neither takes the other's place`() throws {
    let made = try TerminalSession(.nacre, ["init", url, "--passphrase"])
    try made.answer(Self.prompt, "Marker-1")
    try made.answer("New passphrase: ", "Marker-2")
    try made.answer("The same again: ", "Marker-2")
    #expect(made.finish() == 0, "\(made.text)")
    let session = try TerminalSession(.nacre, ["slot", "list", url, "--passphrase"])
    try session.answer(Self.prompt, "Marker-1")
    try session.answer("Passphrase: ", "Marker-2")
    #expect(session.finish() == 0, "\(session.text)")
    #expect(!(made.text + session.text).contains("Marker-"))
  }

  @Test(.enabled(if: TerminalSession.isAvailable), arguments: ["Marker-2", ""])
  func `a wrong password is one error, and nobody is asked again`(password: String) throws {
    let session = try TerminalSession(.nacre, ["status", url] + unlocked)
    try session.answer(Self.prompt, password)
    #expect(session.finish() == 10)
    let words = password.isEmpty ? "wants a password" : "password authentication failed"
    #expect(session.text.contains(words))
    #expect(session.text.split(separator: "nacre: ").count == 2)
    #expect(!session.text.contains("Marker-2"))
  }

  @Test(.enabled(if: TerminalSession.isAvailable))
  func `control-C at the prompt ends the command`() throws {
    let session = try TerminalSession(.nacre, ["status", url] + unlocked)
    try session.answer(Self.prompt, "Mark\u{3}")
    #expect(session.finish() == 130)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: detached)))
  func `without a terminal the command says where a password is kept, and reads no input`() throws {
    let outcome = try run(["status", url] + unlocked)
    #expect(outcome.status == 10)
    #expect(outcome.complainsInOneLine)
    for way in ["user ada", "PGPASSFILE", "postgresql://?service=NAME"] {
      #expect(outcome.complaint.contains(way))
    }
    #expect(!outcome.everything.contains("Marker-1"))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: detached)))
  func `a file with the password is enough, and a wrong one is told`() throws {
    let environment = ["PGPASSFILE": try passwordFile("Marker-1")]
    let made = try run(["init", url] + unlocked, environment: environment)
    #expect(made.status == 0, "\(made.complaint)")
    let wrong = try run(["status", url], environment: ["PGPASSFILE": try passwordFile("Marker-2")])
    #expect(wrong.status == 10)
    #expect(wrong.complainsInOneLine)
    #expect(wrong.complaint.contains("password authentication failed"))
    #expect(!wrong.complaint.contains("Marker-2"))
  }
}
#endif
