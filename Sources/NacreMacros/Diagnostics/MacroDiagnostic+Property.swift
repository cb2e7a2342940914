// The errors of a property of an entity.

extension MacroDiagnostic {
  static func immutable(_ name: String) -> Self {
    Self(
      "immutable",
      "'\(name)' can't be read from a row: a stored property of an entity is a 'var'"
    )
  }

  static func noDefault(_ name: String) -> Self {
    Self("noDefault", "'\(name)' needs a default value: an entity is made before its row is read")
  }

  static func lazy(_ name: String) -> Self {
    Self("lazy", "'\(name)' can't be stored: a lazy property has no value until it is asked for")
  }

  static func unretained(_ name: String, _ keyword: String) -> Self {
    Self(
      "unretained",
      "'\(name)' can't be stored: a child is owned, so it can't be '\(keyword)'; refer to it by a 'Link'"
    )
  }

  static func unstorable(_ name: String, _ kind: String) -> Self {
    Self("unstorable", "'\(name)' can't be stored: a column can't hold \(kind)")
  }

  static func implicitlyUnwrapped(_ name: String) -> Self {
    Self(
      "implicitlyUnwrapped",
      "'\(name)' can't be stored: an implicitly unwrapped optional traps on NULL"
    )
  }

  static let severalBindings = Self(
    "severalBindings",
    "each stored property of an entity needs a declaration of its own"
  )

  static let pattern = Self(
    "pattern",
    "a stored property of an entity is declared by its name, not by a pattern"
  )

  static let conditional = Self(
    "conditional",
    "a stored property inside '#if' has no fixed place in the schema: move it out or mark it '@Transient'"
  )

  static func twoObservers(_ name: String) -> Self {
    Self(
      "twoObservers",
      "'\(name)' has both 'willSet' and 'didSet': '@Entity' needs one of them to track changes"
    )
  }

  static func linkNotOptional(_ name: String) -> Self {
    Self(
      "linkNotOptional",
      "'\(name)' must be optional: a link becomes nil when its target is deleted"
    )
  }

  static func linksOptional(_ name: String) -> Self {
    Self(
      "linksOptional",
      "'\(name)' can't be optional: 'Links' without elements are empty, not nil"
    )
  }

  static func arrayOfLinks(_ name: String) -> Self {
    Self("arrayOfLinks", "'\(name)' can't be stored: to-many references are 'Links', not an array")
  }
}
