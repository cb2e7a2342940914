import Foundation
import NacreCore
import NacreCrypto
import NacreUpkeep
import Testing

/// A store with vaults, what lies in its file, and what they must hold.
struct RotationScene {
  let scene: Scene
  /// What each vault's secret is, by its label.
  let secrets: [String: String]

  /// Stores so many vaults, every third without a note, in transactions of 7.
  init(count: Int = 25, _ change: (inout StoreOptions) -> Void = { _ in }) throws {
    scene = try Scene()
    let store = try scene.open(Scene.unlock, change)
    var secrets: [String: String] = [:]
    for start in stride(from: 0, to: count, by: 7) {
      try store.write { _ in
        for index in start..<min(start + 7, count) {
          let vault = RotationScene.vault(index)
          secrets[vault.label] = vault.secret
          try vault.save()
        }
      }
    }
    self.secrets = secrets
    try store.close()
  }

  static func vault(_ index: Int) -> Vault {
    let vault = Vault.create()
    vault.label = "\(index)"
    vault.secret = "\(Marker.text)-\(index)"
    vault.other = ""
    vault.number = index
    vault.real = Double(index) / 3
    vault.data = Data(repeating: UInt8(truncatingIfNeeded: index), count: index * 11)
    vault.note = index.isMultiple(of: 3) ? nil : "\(Marker.text) of \(index)"
    return vault
  }

  /// How many sealed values the vaults have.
  var valueCount: Int { secrets.keys.reduce(0) { $0 + ((Int($1) ?? 0).isMultiple(of: 3) ? 5 : 6) } }

  func open(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> Store {
    try scene.open(Scene.unlock, change)
  }

  /// Fails when a value is not what was stored.
  func expectWhole(
    _ store: Store,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let vaults = try store.read { _ in
      try Vault.fetchAll().map { vault in
        (
          vault.label, vault.secret,
          [vault.other, "\(vault.number)", "\(vault.real)", "\(vault.data)", vault.note ?? "-"]
        )
      }
    }
    #expect(vaults.count == secrets.count, sourceLocation: sourceLocation)
    for (label, secret, others) in vaults {
      #expect(secret == secrets[label], sourceLocation: sourceLocation)
      let vault = RotationScene.vault(Int(label) ?? -1)
      let expected = [
        vault.other, "\(vault.number)", "\(vault.real)", "\(vault.data)", vault.note ?? "-",
      ]
      #expect(others == expected, sourceLocation: sourceLocation)
    }
  }

  /// The keys that sealed values name.
  func namedKeys(_ store: Store) throws -> Set<KeyID?> {
    Set(try store.sealedCounts().map(\.keyID))
  }

  /// How many times the first bytes of a key's envelopes lie in the file or its log.
  func heads(of key: KeyID, _ suite: Suite = .xaes256GCM) throws -> Int {
    let head = Data([suite.rawValue]) + withUnsafeBytes(of: key.rawValue.bigEndian) { Data($0) }
    return try scene.fileBytes().reduce(0) { sum, file in
      guard !file.key.hasSuffix("-shm") else { return sum }
      var count = 0
      var rest = file.value[...]
      while let found = rest.range(of: head) {
        count += 1
        rest = rest[found.upperBound...]
      }
      return sum + count
    }
  }
}

extension RotationOptions {
  init(_ change: (inout RotationOptions) -> Void) {
    self.init()
    change(&self)
  }

  /// Sealed values alone, in batches so small that a store of a test has many.
  static let small = RotationOptions {
    $0.batchSize = 4
    $0.purposes = [.field]
  }

  /// Sealed values alone.
  static let field = RotationOptions { $0.purposes = [.field] }
}

extension Store {
  func state(of key: KeyID) throws -> KeyState? {
    try inspect().ring?.keys.first { $0.id == key }?.state
  }

  /// The generation of the ring in the file, which every change of it moves.
  func generation() throws -> UInt64? { try inspect().ring?.generation }

  /// Disables a key that values name, as somebody does who tries what needs it.
  func disableKeyInUse(_ key: KeyID) throws {
    try disableKey(key, ignoring: keyUses(of: key).map(\.column))
  }

  /// Rotates, and throws what `body` throws.
  func rotate(
    _ options: RotationOptions,
    watching body: (RotationProgress) throws -> RotationDirective
  ) throws -> RotationReport {
    var failure: (any Error)?
    let report = try rotate(options) { progress in
      do {
        return try body(progress)
      } catch {
        failure = failure ?? error
        return .stop
      }
    }
    if let failure { throw failure }
    return report
  }
}
