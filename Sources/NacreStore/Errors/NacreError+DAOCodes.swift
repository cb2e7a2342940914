import NacreEngine

extension NacreError.Code {
  /// A DAO's configuration has no method with that name and number of arguments.
  public static let noSuchMethod = Self(
    "noSuchMethod",
    "The configuration has no such method",
    "Compare the name and the number of arguments with the configuration."
  )
  /// The caller asked for a DAO by a type for which `@DAO` has not made a proxy.
  public static let noProxy = Self(
    "noProxy",
    "The type is not a protocol with a proxy",
    "Mark the protocol with `@DAO`; it must not be private or declared in a function."
  )
  /// The configuration of a DAO's method uses an argument in a way that does not fit its value.
  public static let badArgument = Self(
    "badArgument",
    "An argument can't be used",
    "Compare it with the method in the configuration; no row was changed."
  )
  /// A DAO has no table, or its table has a name that can't stand in SQL or that the store reserves.
  public static let noTableName = Self(
    "noTableName",
    "The DAO has no usable table name",
    "Set `tableName` to letters, digits and underscores, not beginning with `nacre_` or `sqlite_`."
  )
  /// A table was made by a later version of a DAO's configuration.
  public static let newerTable = Self(
    "newerTable",
    "The table has a later version than the configuration",
    "Use the later configuration; nothing was changed."
  )
  /// The caller set an option of a data center after its first use; it has to be set before.
  public static let alreadyUsed = Self(
    "alreadyUsed",
    "The data center is in use already",
    "Set the option before the first store is opened and the first DAO is made."
  )
  /// The caller used a DAO or value that depends on a user while there is no user.
  public static let noUser = Self(
    "noUser",
    "There is no current user",
    "Set `currentUser` of the data center first."
  )
}

extension NacreError {
  /// An error of a DAO's method; the module stands for the entity, the method for the property.
  ///
  /// - Parameters:
  ///   - code: the kind of failure.
  ///   - detail: what exactly was found.
  ///   - advice: what to do, if it differs from the code's advice.
  ///   - cause: the error underneath.
  /// - Returns: the error.
  package static func dao(
    _ code: Code,
    _ detail: String,
    advice: String? = nil,
    cause: (any Error)? = nil
  ) -> NacreError {
    NacreError(code, detail: detail, advice: advice, cause: cause)
  }

  /// The error for a DAO's configuration that can't be read.
  ///
  /// - Parameters:
  ///   - path: its path, or its URL.
  ///   - reason: why it can't be read.
  /// - Returns: the error, with code `cannotOpen`.
  package static func unreadable(_ path: String, _ reason: String) -> NacreError {
    // The code of the same name, but with words that are not about stores.
    let code = Code(
      Code.cannotOpen.description,
      "The configuration at \(path) can't be read",
      NacreError(.cannotOpen).advice
    )
    return NacreError(code, detail: reason)
  }

  /// Whether an error says that a statement names a table that does not exist.
  ///
  /// - Parameters:
  ///   - table: the table's name, in any case.
  ///   - error: any error of a statement.
  /// - Returns: false for an error about another table.
  package static func isMissing(table: String, _ error: any Error) -> Bool {
    let cause = (error as? NacreError)?.cause ?? error
    return (cause as? any EngineError)?.isMissing(table: table) ?? false
  }

  /// The same error at an element of a method's `foreach`; a nil index leaves the error as it is.
  package func at(index: Int?) -> NacreError {
    var error = self
    error.index = index ?? error.index
    return error
  }

  /// The same error with a detail that first says what was being done, and then what was found.
  package func during(_ action: String) -> NacreError {
    var error = self
    error.detail = detail.map { "\(action): \($0)" } ?? action
    return error
  }

  /// The same error with a module and method as its place, if it has no place yet.
  package func at(module: String, method: String) -> NacreError {
    guard entity == nil else { return self }
    var error = self
    error.entity = module.isEmpty ? "DAO" : module
    error.property = method
    return error
  }

  /// The same error without the statement's text, because that contains values.
  package var withoutStatement: NacreError {
    guard let cause = cause as? any EngineError else { return self }
    var error = self
    error.cause = cause.withoutTexts()
    return error
  }
}
