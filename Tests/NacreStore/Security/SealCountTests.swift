import Foundation
import NacreCore
import NacreCrypto
import Testing
@testable import TestSupport

/// A value sealed with suite 2 is counted in the file no later than it is stored there.
@Suite struct SealCountTests {
  private struct Stop: Error {}

  private let scene: Scene

  init() throws { scene = try Scene() }

  private func vaults(_ count: Int) -> [Vault] {
    (0..<count).map { _ in
      let vault = Vault.create()
      vault.secret = Marker.text
      return vault
    }
  }

  private func counted() throws -> Int64 {
    let rows = try scene.edit("SELECT max(seals) FROM nacre_key WHERE purpose = 1")
    guard case .integer(let count)? = rows.first?.first else { return -1 }
    return count
  }

  /// How many envelopes the rows hold.
  private func stored() throws -> Int64 {
    let rows = try scene.edit(
      """
      SELECT count(secret) + count(other) + count(number) + count(real) + count(data) + count(note)
      FROM Vault
      """
    )
    guard case .integer(let count)? = rows.first?.first else { return -1 }
    return count
  }

  @Test func `seals after a rollback are counted again before they are stored`() throws {
    let store = try scene.open { $0.suite = .aes256GCM }
    #expect(throws: Stop.self) {
      try store.write { _ in
        for vault in vaults(3) { try vault.save() }
        throw Stop()
      }
    }
    #expect(try counted() == 0)
    try store.write { _ in for vault in vaults(5) { try vault.save() } }
    #expect(try stored() == 25)
    #expect(try counted() >= stored())
  }

  @Test func `seals after a savepoint's rollback are counted again in its transaction`() throws {
    let store = try scene.open { $0.suite = .aes256GCM }
    try store.write { _ in
      #expect(throws: Stop.self) {
        try store.write { _ in
          for vault in vaults(3) { try vault.save() }
          throw Stop()
        }
      }
      for vault in vaults(5) { try vault.save() }
    }
    #expect(try stored() == 25)
    #expect(try counted() >= stored())
  }

  @Test func `a rollback costs a key no more than the seals that were made in it`() throws {
    let store = try scene.open { $0.suite = .aes256GCM }
    for _ in 0..<100 {
      #expect(throws: Stop.self) {
        try store.write { _ in
          for vault in vaults(2) { try vault.save() }
          throw Stop()
        }
      }
    }
    try store.write { _ in for vault in vaults(1) { try vault.save() } }
    // What was sealed and thrown away, and one block.
    #expect(try counted() == 100 * 2 * 5 + 65_536)
  }
}
