package import NacreCrypto
import NacreEngine

// The keys of a sealed file, which are in its header and not in the ring. A rotation makes them and
// disables them; what is left to a caller is to destroy one that is disabled, or to enable it again.

extension Store {
  /// The keys in the header of a sealed file, whose ids no key of the ring may have; none for others.
  ///
  /// A write transaction has the newest ones.
  package var fileKeys: [KeyRecord] { engine.fileHeader?.sealer.keys.header.keys ?? [] }

  /// Changes the state of a file key.
  ///
  /// - Parameters:
  ///   - id: The key.
  ///   - change: What is done to it, for messages.
  ///   - states: The states from which it can be done.
  ///   - body: Makes the changed keys.
  /// - Returns: Whether the file has such a key; if not, nothing was done.
  /// - Throws: `keyInUse` for an enabled key, `badKeyState`, `headerChangeUnfinished`, the errors of ``checkRingCanChange()``.
  func changeFileKey(
    _ id: KeyID,
    _ change: String,
    from states: Set<KeyState>,
    _ body: (FileKeys) throws -> FileKeys
  ) throws -> Bool {
    guard let slots = engine.fileHeader else { return false }
    try checkRingCanChange()
    guard try slots.keys().header.keys.contains(where: { $0.id == id }) else { return false }
    try tellingOfHeader {
      try write { database in
        try Self.check(slots.keys(), id, change, from: states)
        try slots.change(on: database.connection) { keys in
          try NacreError.wrapping { try body(keys) }
        }
      }
    }
    return true
  }

  /// Throws unless a file key's state is one of some.
  private static func check(
    _ present: FileKeys,
    _ id: KeyID,
    _ change: String,
    from states: Set<KeyState>
  ) throws {
    guard let key = present.header.keys.first(where: { $0.id == id }) else {
      throw NacreError(.noSuchKey, detail: "key \(id)")
    }
    guard !states.contains(key.state) else { return }
    if key.state == .enabled {
      throw NacreError(
        .keyInUse,
        detail:
          "pages of the file may be under key \(id); finish the rotation of the file's key, which "
          + "disables it"
      )
    }
    throw NacreError(.badKeyState, detail: "key \(id) is \(key.state) and can't be \(change)")
  }
}
