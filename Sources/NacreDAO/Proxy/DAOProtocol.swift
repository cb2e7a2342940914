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
