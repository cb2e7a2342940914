// The errors of `@Encrypted`.

extension MacroDiagnostic {
  static let encryptedReference = Self(
    "encryptedReference",
    "an encrypted property holds a value: encrypt the properties of the object that it refers to"
  )

  static func encryptedColumn(_ argument: String, _ label: String) -> Self {
    Self(
      "encryptedColumn",
      "'\(argument):' can't apply to a sealed column, because each seal of a value gives another "
        + "ciphertext: '@Encrypted(\(label): true)' keeps an index beside it"
    )
  }

  static let encryptedDefault = Self(
    "encryptedDefault",
    "a sealed column can't have a default: the default would be in the file in plain"
  )

  static func encryptedFullText(_ name: String) -> Self {
    Self(
      "encryptedFullText",
      "'fullText:' can't apply to a sealed property: the index would hold the words of '\(name)' in plain"
    )
  }

  static func notABoolean(_ argument: String) -> Self {
    Self(
      "notABoolean",
      "'\(argument):' takes the literal 'true' or 'false': '@Entity' has to know it before anything runs"
    )
  }

  static func indexOption(_ argument: String) -> Self {
    Self(
      "indexOption",
      "'\(argument):' has no effect without an index: "
        + "it goes with 'searchable: true' or 'unique: true'"
    )
  }

  static let indexBits = Self(
    "indexBits",
    "an index has 1 to 256 bits: it is cut from a hash of 256"
  )

  static let uniqueBits = Self(
    "uniqueBits",
    "a unique index needs 64 bits or more, because different values that share an index would be "
      + "refused as equal: "
      + "without 'bits:' it has 128"
  )

  static func indexedBoolean(_ name: String) -> Self {
    Self(
      "indexedBoolean",
      "an index would give '\(name)' away, because it has two values and anybody who counts them "
        + "knows each row's: if that is acceptable, say 'acceptsLeakage: true'"
    )
  }

  static func normalizedValue(_ name: String) -> Self {
    Self(
      "normalizedValue",
      "'normalizer:' applies to text and '\(name)' does not hold text: its equal values are "
        + "equal as they are"
    )
  }

  static func nothingHidden(_ name: String) -> Self {
    Self("nothingHidden", "'hidesNil:' has nothing to hide: '\(name)' is not optional")
  }

  static let uniqueNil = Self(
    "uniqueNil",
    "'hidesNil:' can't go with 'unique: true': a hidden nil is a value, so only one object could have it"
  )
}
