import Foundation
import NacreCore
import NacreCrypto
import Synchronization
import Testing
@testable import TestSupport

/// The arguments of an application's own hooks, and the use of their results.
@Suite struct HookTests {
  private struct Refusal: Error {}

  @Test func `a hook is told the place of every value but nil, and its result lies in the file`()
    throws
  {
    let places = Mutex<[SealingContext]>([])
    let scene = try Scene()
    let store = try scene.open(nil) { options in
      options.provider = HookProvider(
        seal: { payload, place in
          places.withLock { $0.append(place) }
          return payload.reversed()
        },
        open: { stored, _ in stored.reversed() }
      )
    }
    let vault = Vault.create()
    vault.secret = "abc"
    try scene.save(vault, in: store)
    let told = places.withLock { $0 }
    #expect(told.map(\.property) == ["secret", "other", "number", "real", "data"])
    for place in told {
      #expect(place.entity == "Vault")
      #expect(place.objectID == withUnsafeBytes(of: vault.objectID.uuid) { Array($0) })
    }
    #expect(
      try scene.edit("SELECT secret, note FROM Vault") == [[.blob(Data("cba\u{3}".utf8)), .null]]
    )
    #expect(try store.read { _ in try Vault.fetchOne()?.secret } == "abc")
  }

  @Test func `a hook of one property leaves the others to the ring`() throws {
    let scene = try Scene()
    let store = try scene.open()
    let hooks = HookProvider(seal: { payload, _ in payload }, open: { stored, _ in stored })
    try store.install(hooks, for: \Vault.other)
    let vault = Vault.create()
    vault.secret = "abc"
    vault.other = "abc"
    try scene.save(vault, in: store)
    let rows = try scene.edit("SELECT length(secret), other FROM Vault")
    #expect(rows == [[.integer(49), .blob(Data("\u{3}abc".utf8))]])
    expectError(.noSuchProperty) { try store.install(hooks, for: \Vault.label) }
  }

  @Test func `a hook that refuses ends the save with its own error and nothing written`() throws {
    let scene = try Scene()
    let store = try scene.open(nil) { options in
      options.provider = HookProvider(
        seal: { _, _ in throw Refusal() },
        open: { stored, _ in stored }
      )
    }
    #expect(throws: Refusal.self) { try scene.save(Vault.create(), in: store) }
    #expect(try store.read { _ in try Vault.count() } == 0)
  }
}
