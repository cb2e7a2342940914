import NacreCrypto
import NacreEngine

/// The sealed columns of DAOs on one connection, and those of them that the catalog has.
///
/// A DAO's value is bound to a class and a property, because there is no object to bind it to.
final class DAOSealing {
  private let storeID: StoreID
  private var columns: [DAOPlace: SealedColumn] = [:]
  /// The columns that were found in the catalog since the tables were last checked.
  var known: Set<DAOColumn> = []

  init(storeID: StoreID) { self.storeID = storeID }

  /// Returns the column of a property's values.
  ///
  /// - Throws: ``CryptoError`` for a name that is too long.
  func column(_ place: DAOPlace) throws -> SealedColumn {
    if let column = columns[place] { return column }
    let made = SealedColumn(try place.context(in: storeID), nil)
    columns[place] = made
    return made
  }
}

extension Database {
  /// Seals a value of a DAO: the envelope is bound to store, class and property, and to no row.
  ///
  /// The caller has to note the value's column first, by ``noteDAO(table:column:type:property:)``;
  /// otherwise no rotation finds it.
  ///
  /// - Parameters:
  ///   - value: The value to seal, of any storage class.
  ///   - type: The class, as the configuration names it.
  ///   - property: The property.
  /// - Returns: The envelope; NULL for NULL.
  /// - Throws: ``NacreError``, which names class and property: `storeLocked` or `noKeyRing`;
  ///   `sealLimitReached`; `transactionState` outside `write`, where no nonces are drawn.
  package func sealDAO(_ value: Value, type: String, property: String) throws -> Value {
    if value == .null { return .null }
    return try located(type, property) {
      guard isWriter else {
        throw NacreError(.transactionState, detail: "values can be sealed only inside write { }")
      }
      let column = try dao.column(DAOPlace(type: type, property: property))
      return try column.seal(value, of: DAOPlace.objectID, by: cryptSession())
    }
  }

  /// Opens an envelope that ``sealDAO(_:type:property:)`` sealed.
  ///
  /// - Parameters:
  ///   - stored: The column's content.
  ///   - type: The class, as the configuration names it.
  ///   - property: The property.
  /// - Returns: The value, in the storage class in which it was sealed; NULL for NULL.
  /// - Throws: ``NacreError``, which names class and property: `storeLocked` or `noKeyRing`;
  ///   `notAnEnvelope` for anything else than an envelope; `tampered`, also for an envelope of
  ///   another class, property or store; `unknownKey`, `disabledKey` or `destroyedKey`.
  package func openDAO(_ stored: Value, type: String, property: String) throws -> Value {
    if stored == .null { return .null }
    return try located(type, property) {
      let keys = home.keys
      // A locked store throws here; otherwise it would report a value as plaintext that it can't
      // open.
      let session = try cryptSession()
      let column = try dao.column(DAOPlace(type: type, property: property))
      let version = keys.version
      let value: Value
      do {
        value = try column.value(stored, of: DAOPlace.objectID, by: session)
      } catch let error as CryptoError {
        guard try keys.areNewer(than: version, for: error, on: self) else { throw error }
        value = try column.value(stored, of: DAOPlace.objectID, by: cryptSession())
      }
      // No DAO seals a null, because nil is stored as NULL.
      guard value != .null else { throw NacreError(.wrongSealedType) }
      return value
    }
  }

  private func located<T>(_ type: String, _ property: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw NacreError.wrap(error, entity: type, property: property, objectID: nil)
    }
  }
}
