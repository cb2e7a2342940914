import Foundation
import NacreCore
import TestSupport
import Testing

/// A closed store of two accounts, one the other's child, and what unlocks it.
struct Bank {
  static let ibans = ["DE02-FIRST-SECRET", "DE75-SECOND-SECRET"]
  static let keyHex = String(repeating: "c0ffee42", count: 8)
  static let passphrase = "correct horse battery staple"

  let directory: TemporaryDirectory
  var path: String { directory.file("bank.db") }
  var keyFile: String { directory.file("bank.key") }

  /// Makes the store under a key file with `keyHex`.
  init() throws {
    try self.init { .keyFile($0) }
  }

  /// Makes the store under another secret.
  init(unlock: (_ keyFile: String) -> Unlock) throws {
    directory = try TemporaryDirectory()
    try write("NACRE-KEY-1 \(Self.keyHex)\n", to: "bank.key", mode: 0o600)
    let store = try Store.open(path, unlock: unlock(keyFile))
    try store.write { _ in
      let parent = Account.create()
      parent.holder = "Ada"
      parent.iban = Self.ibans[0]
      let child = Account.create()
      child.holder = "Grace \u{1B}[31m\n\"Hopper\""
      child.iban = Self.ibans[1]
      child.parent = parent
      try child.save(cascade: true)
    }
    try store.close()
  }

  func write(_ text: String, to name: String, mode: Int) throws {
    let path = directory.file(name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// Changes the file with plain SQL.
  func change(_ sql: String) throws {
    let store = try Store.open(path)
    try store.write { try $0.execute(sql) }
    try store.close()
  }

  /// Runs `nacre inspect` on the store, and expects that every byte of it stays as it is.
  func inspect(
    _ arguments: String...,
    input: String = "",
    environment: [String: String] = [:]
  ) throws -> BuiltProduct.Outcome {
    let before = try directory.bytes("bank.db")
    let outcome = try BuiltProduct.nacre.run(
      ["inspect", path] + arguments,
      input: input,
      environment: environment
    )
    #expect(try directory.bytes("bank.db") == before)
    return outcome
  }
}
