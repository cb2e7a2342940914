import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
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

  /// How the key file is named on the command line.
  var unlocked: [String] { ["--key-file", keyFile] }

  /// Runs a command on the store: `nacre("slot remove", "2")` is `nacre slot remove STORE 2`.
  func nacre(
    _ command: String,
    _ arguments: String...,
    unlock: [String]? = nil,
    input: String = "",
    environment: [String: String] = [:]
  ) throws -> BuiltProduct.Outcome {
    let words = command.split(separator: " ").map(String.init)
    return try BuiltProduct.nacre.run(
      words + [path] + arguments + (unlock ?? unlocked),
      input: input,
      environment: environment
    )
  }

  /// Every byte of the store, its log included.
  func bytes() throws -> [Data] {
    try ["bank.db", "bank.db-wal"].map { name in
      FileManager.default.fileExists(atPath: directory.file(name))
        ? try directory.bytes(name) : Data()
    }
  }

  /// Adds accounts, as an application that goes on writing.
  func add(_ count: Int) throws {
    let store = try Store.open(path, unlock: .keyFile(keyFile))
    try Account.save(count, holder: "Holder ", iban: "DE00-MANY-SECRETS-", in: store)
    try store.close()
  }

  /// What the file says of itself.
  func describe() throws -> StoreDescription { try StoreInspection(path: path).describe() }

  /// The key that seals.
  func primaryKey() throws -> KeyID {
    let keys = try describe().ring?.keys ?? []
    return try #require(keys.first { $0.purpose == .field && $0.state == .primary }).id
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
