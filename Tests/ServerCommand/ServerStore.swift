#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import Testing
@testable import TestSupport

/// A store in a schema of its own on the server of `script/postgres`, made by `nacre init`.
struct ServerStore {
  static let passphrase = "correct horse battery staple"

  let directory: TemporaryDirectory
  let url: String
  var keyFile: String { directory.file("bank.key") }
  /// How the key file is named on the command line.
  var unlocked: [String] { ["--key-file", keyFile] }

  init() throws {
    directory = try TemporaryDirectory()
    url = try TestPlace.newSchema()
    let outcome = try nacre("init")
    #expect(outcome.status == 0, "\(outcome.complaint)")
  }

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
      words + [url] + arguments + (unlock ?? unlocked),
      input: input,
      environment: environment
    )
  }

  /// Opens the store as an application does.
  func open(unlock: Unlock? = nil) throws -> Store {
    try Store.open(url, unlock: unlock ?? .keyFile(keyFile), options: .patient)
  }

  /// Saves vaults, as an application that goes on writing.
  func addVaults(_ secrets: String...) throws {
    let store = try open()
    defer { try? store.close() }
    try store.write { _ in
      for secret in secrets {
        let vault = Vault.create()
        vault.label = "a plain label"
        vault.secret = secret
        try vault.save()
      }
    }
  }
}
#endif
