/// A type that calls a DAO's methods: a protocol's proxy, and the DAO itself.
public protocol DAOBacked: Sendable {
  /// The DAO whose methods are called.
  var dao: DAO { get }
}
