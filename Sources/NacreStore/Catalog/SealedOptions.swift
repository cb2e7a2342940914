public import NacreCrypto

/// How a property is sealed, according to `@Encrypted`.
public struct SealedOptions: Sendable, Equatable {
  /// Whether objects can be fetched by the property's value, through a blind index.
  public var isSearchable: Bool
  /// Whether no two objects may have the same value; such a property is searchable, too.
  public var isUnique: Bool
  /// The width of the index, 1 to 256 bits; nil for 16, or 128 if the property is unique.
  public var bits: Int?
  /// How texts are normalized before they are compared.
  public var normalizer: Normalizer
  /// Whether to allow an index for a type with few values.
  ///
  /// Anyone who counts the entries of such an index can tell the values.
  public var acceptsLeakage: Bool
  /// Whether nil is sealed as well, instead of being stored as NULL.
  public var hidesNil: Bool
  /// How lengths are hidden.
  public var padding: Padding
  /// The suite that seals; nil for the store's suite.
  public var suite: Suite?

  /// Creates the options; without arguments, those of a usual sealed property.
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

  /// The width of the blind index; nil if there is none.
  package var indexBits: Int? {
    guard isSearchable || isUnique else { return nil }
    return bits ?? (isUnique ? BlindIndex.uniqueBits : BlindIndex.defaultBits)
  }

  /// The reason why no property of any type can be sealed like this; nil if there is none.
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

extension CatalogProperty.Sealing {
  /// Takes the sealing of a property that is sealed with these options.
  package init(_ options: SealedOptions, isHooked: Bool = false) {
    self.init(form: SealedForm(options))
    padding = options.padding
    suite = options.suite
    self.isHooked = isHooked
  }
}

extension SealedForm {
  /// Takes the form of the rows of a property that is sealed with these options.
  package init(_ options: SealedOptions) {
    self.init(
      index: options.indexBits.map {
        Index(bits: $0, normalizer: options.normalizer, isUnique: options.isUnique)
      },
      hidesNil: options.hidesNil
    )
  }
}
