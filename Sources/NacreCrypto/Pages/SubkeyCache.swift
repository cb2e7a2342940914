/// Keeps the contexts of the subkeys that opened last, because pages of one lock share a nonce prefix.
///
/// Not thread-safe.
final class SubkeyCache {
  /// The number of contexts.
  static let slotCount = 8

  private struct Entry {
    /// The first 8 bytes of the prefix.
    var first: UInt64 = 0
    /// The last 4 bytes of the prefix, and the key's id; no key has the id 0.
    var second: UInt64 = 0
    /// When the context was used last.
    var used: UInt64 = 0
  }

  private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: SubkeyCache.slotCount)
  // Unchecked, because the one thread that has the cache looks these up at every page.
  @exclusivity(unchecked) private var contexts: [GCMOpening] = []
  private var schedules: [KeyID: XAESKey] = [:]
  @exclusivity(unchecked) private var clock: UInt64 = 0

  init() { entries.initialize(repeating: Entry(), count: SubkeyCache.slotCount) }

  deinit { entries.deallocate() }

  /// Forgets all keys.
  func removeAll() {
    entries.update(repeating: Entry(), count: SubkeyCache.slotCount)
    contexts = []
    schedules = [:]
  }

  /// The context for a key and a prefix of 12 bytes, valid until the next call.
  ///
  /// - Throws: `unknownKey`, `disabledKey`, `destroyedKey` or `internalFailure`.
  @inline(__always)
  func context(
    _ id: UInt32,
    prefix: UnsafeRawPointer,
    of keys: FileKeys
  ) throws(CryptoError) -> OpaquePointer {
    let first = prefix.bigEndian64(at: 0)
    let second = UInt64(prefix.bigEndian32(at: 8)) << 32 | UInt64(id)
    clock += 1
    for slot in 0..<contexts.count
    where entries[slot].first == first && entries[slot].second == second {
      entries[slot].used = clock
      return contexts[slot].context
    }
    return try admit(Entry(first: first, second: second, used: clock), prefix: prefix, of: keys)
  }

  @inline(never)
  private func admit(
    _ entry: Entry,
    prefix: UnsafeRawPointer,
    of keys: FileKeys
  ) throws(CryptoError) -> OpaquePointer {
    let id = KeyID(rawValue: UInt32(truncatingIfNeeded: entry.second))
    let schedule = try schedule(of: keys.key(for: id))
    var slot = contexts.count
    if slot < SubkeyCache.slotCount {
      contexts.append(try GCMOpening())
    } else {
      slot = (0..<slot).min { entries[$0].used < entries[$1].used } ?? 0
    }
    // If this context fails to take its key, the cache must not find it again.
    entries[slot] = Entry()
    try schedule.rekey(contexts[slot], prefix: prefix)
    entries[slot] = entry
    return contexts[slot].context
  }

  private func schedule(of key: DataKey) throws(CryptoError) -> XAESKey {
    if let schedule = schedules[key.id] { return schedule }
    let schedule = try XAESKey(key.secret)
    schedules[key.id] = schedule
    return schedule
  }
}
