// The errors of a protocol with `@DAO`, and of its methods.

extension MacroDiagnostic {
  static func notAProtocol(_ kind: String) -> Self {
    Self("notAProtocol", "'@DAO' makes the proxy of a protocol: it can't be applied to \(kind)")
  }

  static func privateProtocol(_ name: String) -> Self {
    Self("privateProtocol", "'\(name)' can't be private: its proxy is found by its name")
  }

  static func localProtocol(_ name: String) -> Self {
    Self(
      "localProtocol",
      "'\(name)' can't stand in a function: its proxy is found by its name; move it out"
    )
  }

  static func noDAOProtocol(_ name: String) -> Self {
    Self("noDAOProtocol", "'\(name)' must inherit from 'DAOProtocol'")
  }

  static func actorProtocol(_ name: String) -> Self {
    Self("actorProtocol", "'\(name)' can't be a protocol of actors: a proxy is a class")
  }

  static func notAMethod(_ kind: String) -> Self {
    Self(
      "notAMethod",
      "a proxy has the methods of its configuration and nothing else: '@DAO' can't make \(kind)"
    )
  }

  static let conditionalMethod = Self(
    "conditionalMethod",
    "a method inside '#if' is not seen by '@DAO': move it out"
  )

  static func reservedMethod(_ name: String) -> Self {
    Self("reservedMethod", "'\(name)' is a member that every proxy has: choose another name")
  }

  static func genericMethod(_ name: String) -> Self {
    Self("genericMethod", "'\(name)' can't be generic: its configuration knows values alone")
  }

  static func unusableArgument(_ name: String, _ kind: String) -> Self {
    Self(
      "unusableArgument",
      "'\(name)' can't be \(kind): the configuration's method takes it as one value"
    )
  }

  static func typedThrows(_ name: String) -> Self {
    Self("typedThrows", "'\(name)' can't restrict what it throws: a call fails with any error")
  }

  static func valueWithoutThrows(_ name: String) -> Self {
    Self(
      "valueWithoutThrows",
      "'\(name)' returns a value and has to throw: a call can fail; or return 'DAOResult'"
    )
  }

  static func throwingResult(_ name: String) -> Self {
    Self(
      "throwingResult",
      "'\(name)' can't both throw and return 'DAOResult': the error of a call that failed is in it"
    )
  }
}
