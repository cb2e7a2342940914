/// Maps the coding keys of one type to parameters or columns.
///
/// Swift makes keys as the cases of an enum, which have one byte, or none if there is a single case. Such a key is
/// asked for its name once; after that, its byte is enough.
final class KeySlots {
  /// Stands for a key that leads to nothing.
  static let none: Int32 = -1
  private static let unknown = Int32.min

  private let type: ObjectIdentifier
  private let find: (String) -> Int32
  /// How many bytes a key has.
  private let size: Int
  // Unchecked: they are looked up at every value, and only the thread that encodes or decodes does so.
  @exclusivity(unchecked) private var slots: [Int32]

  private init<Key: CodingKey>(_ type: Key.Type, _ find: @escaping (String) -> Int32) {
    self.type = ObjectIdentifier(type)
    self.find = find
    size = MemoryLayout<Key>.size
    slots = Array(repeating: Self.unknown, count: 256)
  }

  /// The parameter or column of a key, which must have the type that this was made for.
  @inline(__always)
  func slot<Key: CodingKey>(of key: Key) -> Int32 {
    if size > 1 { return find(key.stringValue) }
    // The key has one byte.
    let number = size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
    let known = slots[number]
    return known == Self.unknown ? note(key.stringValue, number) : known
  }

  private func note(_ name: String, _ number: Int) -> Int32 {
    let slot = find(name)
    slots[number] = slot
    return slot
  }

  /// The slots of several key types; a type uses other keys for its superclass.
  struct Table {
    private var latest: KeySlots?
    private var others: [KeySlots] = []

    /// The slots of a key type; if they are new, `find` looks each up by its name.
    mutating func slots<Key: CodingKey>(
      of type: Key.Type,
      _ find: @escaping (String) -> Int32
    ) -> KeySlots {
      let identifier = ObjectIdentifier(type)
      if let latest, latest.type == identifier { return latest }
      let slots = others.first { $0.type == identifier } ?? KeySlots(type, find)
      if let latest { others.append(latest) }
      others.removeAll { $0 === slots }
      latest = slots
      return slots
    }
  }
}
