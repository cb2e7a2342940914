import NacreCore

/// Binds properties of Codable values to a statement while they encode themselves, and captures those that are no numbers
/// and no texts.
final class FieldBinding: FieldCapture {
  private let statement: any PreparedStatement
  private let parameters: [Int32]
  /// How many of the parameters are bound at once: all of them, or none if there are more names than bits.
  private let directCount: UInt32
  // Unchecked: they are looked up at every value, and only the thread that encodes does so.

  /// The names that are bound already, each as the bit at its index.
  @exclusivity(unchecked) private var bound: UInt64 = 0
  /// The last `KeptContainer`, whose container holds this object.
  @exclusivity(unchecked) private var kept: AnyObject?
  /// The type of the last container's keys.
  @exclusivity(unchecked) private var keptKey: ObjectIdentifier?

  /// Prepares to bind the first of these names to the parameters, and to capture the others.
  init(_ names: [String], _ statement: any PreparedStatement, _ parameters: [Int32]) {
    self.statement = statement
    self.parameters = parameters
    directCount = names.count <= UInt64.bitWidth ? UInt32(parameters.count) : 0
    super.init(names)
  }

  /// Whether all fields of the last value that have a parameter are bound.
  var isBound: Bool { bound.nonzeroBitCount == parameters.count }

  /// Whether the field of the name at an index is bound.
  func isBound(_ index: Int) -> Bool { index < UInt64.bitWidth && bound & (1 << index) != 0 }

  /// Binds or captures the fields of a value.
  func take(_ value: some Encodable) throws {
    bound = 0
    try capture(value)
  }

  /// Releases the container that is kept from one value to the next.
  func end() { (kept, keptKey) = (nil, nil) }

  override func note(_ slot: Int32, _ field: Field) {
    if slot >= 0, bound != 0 { bound &= ~(1 << UInt64(slot)) }
    super.note(slot, field)
  }

  override func note(_ slot: Int32, text: String) throws {
    guard let parameter = parameter(of: slot) else { return try super.note(slot, text: text) }
    try statement.bind(text: text, at: parameter)
  }

  override func note(_ slot: Int32, integer: Int64) throws {
    guard let parameter = parameter(of: slot) else { return try super.note(slot, integer: integer) }
    try statement.bind(integer, at: parameter)
  }

  override func note(_ slot: Int32, real: Double) throws {
    guard !real.isNaN, let parameter = parameter(of: slot) else {
      return try super.note(slot, real: real)
    }
    try statement.bind(real, at: parameter)
  }

  override func note(_ slot: Int32, flag: Bool) throws {
    guard let parameter = parameter(of: slot) else { return try super.note(slot, flag: flag) }
    try statement.bind(flag ? 1 : 0 as Int64, at: parameter)
  }

  override func noteNil(_ slot: Int32) throws {
    guard let parameter = parameter(of: slot) else { return try super.noteNil(slot) }
    try statement.bindNull(at: parameter)
  }

  /// The parameter that a slot is bound to at once, which then counts as bound; nil if it has none.
  @inline(__always)
  private func parameter(of slot: Int32) -> Int32? {
    guard UInt32(bitPattern: slot) < directCount else { return nil }
    bound |= 1 << UInt64(slot)
    return parameters[Int(slot)]
  }

  override func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if let kept, keptKey == ObjectIdentifier(Key.self) {
      // It was made for these keys.
      return unsafeDowncast(kept, to: KeptContainer<KeyedEncodingContainer<Key>>.self).copy()
    }
    return makeContainer(keyedBy: type)
  }

  /// Never inlined, because it looks up the container's type before it does anything.
  @inline(never)
  private func makeContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key>
  {
    let container = super.container(keyedBy: type)
    kept = KeptContainer(container)
    keptKey = ObjectIdentifier(Key.self)
    return container
  }
}
