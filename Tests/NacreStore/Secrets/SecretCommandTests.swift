import NacreCrypto
@testable import NacreStore
import Testing

@testable import NacreCore
@testable import TestSupport

/// A command that gives the secret is not waited for without an end.
@Suite(.timeLimit(.minutes(10))) struct SecretCommandTests {
  private let hex = Scene.keyHex

  @Test func `a command may take its time, and write in pieces`() throws {
    let command = "printf \(hex.prefix(20)); sleep 0.1; echo \(hex.dropFirst(20))"
    let secret = try SecretCommand.run(command, patience: .seconds(30))
    let expected = try Scene.secret(hex)
    #expect(
      secret.withUnsafeBytes { found in expected.withUnsafeBytes { found.elementsEqual($0) } }
    )
  }

  @Test(arguments: ["sleep 20", "echo x; sleep 20", "exec 1>&-; sleep 20"])
  func `a command that does not end is given up when the time is up`(command: String) {
    let begun = ContinuousClock.now
    let error = thrown(.badSecret) {
      _ = try SecretCommand.run(command, patience: .milliseconds(200))
    }
    let elapsed = ContinuousClock.now - begun
    #expect(elapsed >= .milliseconds(200) && elapsed < .seconds(15))
    #expect(error?.detail?.contains("has not ended after 0.2 s") == true)
  }

  @Test func `a command that fails, or writes without an end, is refused`() {
    for command in ["exit 3", "yes", "echo \(hex)00"] {
      expectError(.badSecret) { _ = try SecretCommand.run(command, patience: .seconds(30)) }
    }
  }
}
