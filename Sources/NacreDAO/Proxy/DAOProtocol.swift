/// The base of protocols marked `@DAO`: the DAO's own properties and methods beside those of its configuration.
///
/// ```swift
/// @DAO protocol MessageDAO: DAOProtocol {
///   func find(_ id: Int?, _ time: Int?) throws -> [Message]
/// }
/// let messages = try DataCenter.shared.dao((any MessageDAO).self, config: url, userDependent: true)
/// messages.tableName = "chat_7"
/// ```
public protocol DAOProtocol: DAOBacked {
  /// Makes a proxy that calls the methods of that DAO.
  init(dao: DAO)
}

/// A type that calls a DAO's methods: a protocol's proxy, and the DAO itself.
public protocol DAOBacked: Sendable {
  /// The DAO whose methods are called.
  var dao: DAO { get }
}

extension DAOProtocol {
  /// Calls the method with that id and number of arguments, in one transaction.
  ///
  /// - Parameters:
  ///   - id: the method's id in the configuration.
  ///   - arguments: its arguments in order; nil is NULL.
  /// - Returns: the select's value, or how the call ended. A call that failed has changed no row; a table that it had
  ///   to make or upgrade first stays.
  @discardableResult
  public func call(_ id: String, _ arguments: [Any?] = []) -> DAOResult { dao.call(id, arguments) }

  /// Makes a DAO of the same protocol for another table, with the same globals, crypt methods and event handler.
  ///
  /// - Parameter name: the table's name: letters, digits and underscores.
  /// - Returns: the DAO; what is set on one of the two is not set on the other.
  public func forTable(_ name: String) -> Self { Self(dao: dao.forTable(name)) }
}

/// The class that `@DAO` makes of a protocol; its methods call those with the same name and number of arguments in the
/// configuration.
public protocol DAOProxy: DAOProtocol {
  /// The protocol's methods, which are compared with the configuration when the DAO is made.
  static var methods: [DAOSignature] { get }
}

/// A method of a protocol, as the configuration must have it.
public struct DAOSignature: Sendable {
  let id: String
  let arguments: [any Any.Type]
  let result: any Any.Type
  let place: String

  /// Describes a method, which is identified by its name without labels and its number of arguments.
  ///
  /// - Parameters:
  ///   - id: the method's name, which is its id in the configuration.
  ///   - arguments: the types of its arguments.
  ///   - result: the type that it returns: a value, a ``DAOResult``, or nothing.
  ///   - place: where it is declared; the error for a mismatch names it.
  public init(
    _ id: String,
    _ arguments: [any Any.Type],
    _ result: any Any.Type,
    at place: String
  ) {
    (self.id, self.arguments, self.result, self.place) = (id, arguments, result, place)
  }
}
