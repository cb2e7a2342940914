public import NacreCrypto

/// How a property is sealed: what `@Encrypted` says.
public struct SealedOptions: Sendable, Equatable {
  /// Whether objects can be fetched by the property's value, over a blind index.
  public var isSearchable: Bool
  /// Whether no two objects may have the same value; such a property is searchable, too.
  public var isUnique: Bool
  /// The width of the index, 1 to 256 bits; nil is 16, and 128 where the property is unique.
  public var bits: Int?
  /// How texts are made comparable.
  public var normalizer: Normalizer
  /// Whether an index of a type with few values, which shows each of them to whoever counts, is wanted all the same.
  public var acceptsLeakage: Bool
  /// Whether nil is sealed as well, instead of being stored as NULL.
  public var hidesNil: Bool
  /// How lengths are hidden.
  public var padding: Padding
  /// The suite that seals; nil is the store's.
  public var suite: Suite?

  /// Makes the options; none of them is the usual sealed property.
  public init(
    isSearchable: Bool = false,
    isUnique: Bool = false,
    bits: Int? = nil,
    normalizer: Normalizer = .exact,
    acceptsLeakage: Bool = false,
    hidesNil: Bool = false,
    padding: Padding = .none,
    suite: Suite? = nil
  ) {
    self.isSearchable = isSearchable
    self.isUnique = isUnique
    self.bits = bits
    self.normalizer = normalizer
    self.acceptsLeakage = acceptsLeakage
    self.hidesNil = hidesNil
    self.padding = padding
    self.suite = suite
  }

  /// The width of the blind index; nil where there is none.
  package var indexBits: Int? {
    guard isSearchable || isUnique else { return nil }
    return bits ?? (isUnique ? BlindIndex.uniqueBits : BlindIndex.defaultBits)
  }

  /// The fault by which no property can be sealed like that, whatever its type; nil if there is none.
  package var fault: String? {
    guard let bits = indexBits else { return nil }
    if !(1...256).contains(bits) { return "an index has 1 to 256 bits" }
    if isUnique && bits < 64 {
      return
        "with less than 64 bits, different values that share an index would be refused as equal"
    }
    if isUnique && hidesNil {
      return "unique and hidesNil exclude each other: every nil would have the same index"
    }
    return nil
  }
}

extension SealedForm {
  /// The form of the rows of a property that is sealed like that.
  package init(_ options: SealedOptions) {
    self.init(
      index: options.indexBits.map {
        Index(bits: $0, normalizer: options.normalizer, isUnique: options.isUnique)
      },
      hidesNil: options.hidesNil
    )
  }
}
