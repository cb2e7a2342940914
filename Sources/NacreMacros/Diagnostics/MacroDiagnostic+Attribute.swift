// The errors of `@Transient`, `@Column` and `@Relationship`, or of any of our attributes.

extension MacroDiagnostic {
  static func notAProperty(_ attribute: String) -> Self {
    Self("notAProperty", "'@\(attribute)' applies to a stored property of an entity")
  }

  static func computed(_ attribute: String) -> Self {
    Self(
      "computed",
      "'@\(attribute)' has no effect on a computed property: nothing of it is stored"
    )
  }

  static func notInstance(_ attribute: String) -> Self {
    Self(
      "notInstance",
      "'@\(attribute)' has no effect on a static property: nothing of it is stored"
    )
  }

  static func outsideEntity(_ attribute: String) -> Self {
    Self("outsideEntity", "'@\(attribute)' has no effect outside a class marked '@Entity'")
  }

  static func conditionalAttribute(_ name: String) -> Self {
    Self(
      "conditionalAttribute",
      "'\(name)' can't have attributes inside '#if': how it is stored may not depend on the build"
    )
  }

  static func transientWith(_ attribute: String) -> Self {
    Self("transientWith", "a transient property is not stored: '@\(attribute)' has no effect on it")
  }

  static func notRenamed(_ name: String) -> Self {
    Self("notRenamed", "'renamedFrom:' is the name that '\(name)' or its column had before")
  }

  static func datesOfOther(_ name: String) -> Self {
    Self("datesOfOther", "'dates:' applies to a 'Date' and '\(name)' is not one")
  }

  static func fullTextOfOther(_ name: String) -> Self {
    Self("fullTextOfOther", "'fullText:' applies to text and '\(name)' does not hold text")
  }

  static let relationshipOfValue = Self(
    "relationshipOfValue",
    "'@Relationship' applies to children and links: this property holds a value"
  )

  static let cascadeOverLink = Self(
    "cascadeOverLink",
    "a delete never follows a link: a cascade to the parent would delete the owner of this "
      + "object; make it a child or drop the rule"
  )

  static func ruleOfLink(_ argument: String) -> Self {
    Self("ruleOfLink", "'\(argument):' applies to children: a link owns nothing")
  }

  static let tableOfOne = Self(
    "tableOfOne",
    "'table:' applies to the to-many side, '[Child]' or 'Links'; a reference to one object is a column"
  )

  static let tableOfInverse = Self(
    "tableOfInverse",
    "'table:' has no effect beside 'inverse:': the other side stores the relationship"
  )

  static let inverseToOne = Self(
    "inverseToOne",
    "'inverse:' applies to the to-many side, '[Child]' or 'Links'; a pointer to the parent is a 'Link'"
  )
}
