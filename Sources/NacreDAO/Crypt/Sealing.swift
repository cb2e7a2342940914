public import NacreCore

/// Seals or opens one value of a DAO in place of the store; it receives the class and property that `<crypt>` names.
///
/// Sealing may return bytes or a text, such as Base64; opening receives what sealing returned. nil is never passed: it
/// stays NULL.
public typealias CryptMethod =
  @Sendable (_ value: Value, _ type: String, _ property: String) throws
  -> Value

/// Seals and opens the values of one DAO: by the application's methods, or else by the store.
struct DAOSealing: Sendable {
  var encrypt: CryptMethod?
  var decrypt: CryptMethod?

  func seal(_ value: Value, _ place: SealedProperty, on database: Database) throws -> Value {
    if case .null = value { return .null }
    guard let encrypt else {
      return try database.sealDAO(value, type: place.type, property: place.property)
    }
    return try encrypt(value, place.type, place.property)
  }

  func open(_ value: Value, _ place: SealedProperty, on database: Database) throws -> Value {
    if case .null = value { return .null }
    guard let decrypt else {
      return try database.openDAO(value, type: place.type, property: place.property)
    }
    return try decrypt(value, place.type, place.property)
  }
}
