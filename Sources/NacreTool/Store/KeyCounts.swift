#if Tool
import NacreStore
import NacreUpkeep

/// The number of sealed values under each key.
struct KeyCounts {
  private var byKey: [KeyID: Int] = [:]
  /// How many cells of sealed properties hold something that was not sealed.
  private(set) var unsealed = 0

  init(_ counts: [SealedCount]) {
    for count in counts {
      if let key = count.keyID {
        byKey[key, default: 0] += count.count
      } else {
        unsealed += count.count
      }
    }
  }

  subscript(key: KeyID) -> Int { byKey[key] ?? 0 }

  /// The largest count.
  var highest: Int { byKey.values.max() ?? 0 }

  /// The keys that values name but a ring does not have.
  func unknown(to ring: RingDescription?) -> [KeyID] {
    let known = Set(ring?.keys.map(\.id) ?? [])
    return byKey.keys.filter { !known.contains($0) }.sorted { $0.rawValue < $1.rawValue }
  }
}
#endif
