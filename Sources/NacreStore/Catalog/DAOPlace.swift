import NacreCrypto
import NacreEngine

/// A class and a property, as a configuration names them, to which a DAO's sealed values are bound.
package struct DAOPlace: Hashable {
  let type: String
  let property: String

  /// Both in words.
  var words: String { "\(type).\(property)" }

  /// The objectID to which the values are bound, because they have none.
  static var objectID: ObjectID { ObjectID(high: 0, low: 0) }

  /// Returns the context to which the values are bound.
  ///
  /// - Throws: `lengthTooLarge` for a name that is too long.
  func context(in storeID: StoreID) throws(CryptoError) -> FieldContext {
    try FieldContext(storeID: storeID, entity: type, property: property, domain: .dao)
  }

  /// Returns the places of all columns that the catalog has ever known, even if the column is gone.
  ///
  /// - Throws: The errors of reading.
  static func known(on connection: any EngineConnection) throws -> [DAOPlace] {
    try connection.rows(DAOSQL.places) { row in
      DAOPlace(type: row.text(at: 0), property: row.text(at: 1))
    }
  }
}
