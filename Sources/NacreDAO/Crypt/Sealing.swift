public import NacreCore

/// Seals or opens one value of a DAO in place of the store: it is told the class and the property that `<crypt>` names.
///
/// Sealing may give bytes or a text, such as Base64; opening gets what sealing gave. nil is never passed: it stays NULL.
public typealias CryptMethod =
  @Sendable (_ value: Value, _ type: String, _ property: String) throws
  -> Value

/// Who seals and opens the values of one DAO.
struct DAOSealing: Sendable {
  var encrypt: CryptMethod?
  var decrypt: CryptMethod?

  func seal(_ value: Value, _ place: CryptRules.Place, on database: Database) throws -> Value {
    if case .null = value { return .null }
    guard let encrypt else {
      return try StoreSealing.seal(value, place, on: database)
    }
    return try encrypt(value, place.type, place.property)
  }

  func open(_ value: Value, _ place: CryptRules.Place, on database: Database) throws -> Value {
    if case .null = value { return .null }
    guard let decrypt else {
      return try StoreSealing.open(value, place, on: database)
    }
    return try decrypt(value, place.type, place.property)
  }
}

/// The store's own sealing, under its key ring: what is used where a DAO has no crypt methods.
enum StoreSealing {
  static func seal(_ value: Value, _ place: CryptRules.Place, on database: Database) throws -> Value
  {
    throw missing
  }

  static func open(_ value: Value, _ place: CryptRules.Place, on database: Database) throws -> Value
  {
    throw missing
  }

  private static var missing: NacreError {
    .dao(.noKeyRing, "set `encryptMethod` and `decryptMethod`")
  }
}
