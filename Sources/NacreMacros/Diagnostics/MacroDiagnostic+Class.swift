// The errors of a declaration with `@Entity`.

extension MacroDiagnostic {
  static func notAClass(_ kind: String) -> Self {
    Self(
      "notAClass",
      "an entity has identity and must be a final class: '@Entity' can't be applied to \(kind)"
    )
  }

  static let notFinal = Self(
    "notFinal",
    "an entity must be final: a row holds the properties of one class, not a subclass's"
  )

  static let generic = Self(
    "generic",
    "an entity can't be generic: its table has one column of one type for each property"
  )

  static let notALiteral = Self(
    "notALiteral",
    "a table or column is named by a string literal without interpolation"
  )

  static let version = Self(
    "version",
    "an entity's version is an integer literal of at least 1: 0 means that there was no table"
  )

  static func reservedName(_ name: String) -> Self {
    Self("reservedName", "'\(name)' is a member that every entity has: choose another name")
  }

  static func reservedStorage(_ name: String, of other: String) -> Self {
    Self("reservedStorage", "'\(name)' is where '@Entity' keeps '\(other)': choose another name")
  }

  static func reservedColumn(_ name: String) -> Self {
    Self(
      "reservedColumn",
      "the column '\(name)' holds every object's identifier: choose another name"
    )
  }

  static func versionColumn(_ name: String) -> Self {
    Self(
      "versionColumn",
      "the column '\(name)' holds the versions of rows: choose another name"
    )
  }

  static func duplicateColumn(_ name: String, of other: String) -> Self {
    Self(
      "duplicateColumn",
      "the column '\(name)' is already that of '\(other)': SQLite ignores the case of names"
    )
  }
}
