import Foundation
import NacreCrypto
import NacreSQLite

/// The sealing and opening of DAOs' values on one connection, with the columns that it knows to be
/// in the catalog.
///
/// Such a value belongs to a class and a property; there is no object that it could be bound to.
final class DAOSealing {
  private let storeID: StoreID
  private let writer = PayloadWriter()
  private let scratch = ScratchBuffer()
  private var contexts: [DAOPlace: FieldContext] = [:]
  /// The columns that were found in the catalog since the tables were last looked at.
  var known: Set<DAOColumn> = []

  init(storeID: StoreID) { self.storeID = storeID }

  /// The place of a property's values.
  ///
  /// - Throws: ``CryptoError`` for a name that is too long.
  func context(type: String, property: String) throws -> FieldContext {
    let place = DAOPlace(type: type, property: property)
    if let context = contexts[place] { return context }
    let made = try FieldContext(
      storeID: storeID,
      entity: type,
      property: property,
      domain: .dao
    )
    contexts[place] = made
    return made
  }

  func seal(_ value: Value, in context: FieldContext, _ session: RingSession) throws -> Value {
    // The memory lives as long as the connection; the value need not.
    defer { writer.cleanse() }
    let payload = try writer.encode(value)
    let sealed = try session.seal(payload, context: context, objectID: .zero, into: scratch)
    return .blob(Data(sealed))
  }

  func open(_ sealed: Data, in context: FieldContext, _ session: RingSession) throws -> Value {
    defer { scratch.cleanse() }
    return try sealed.withUnsafeBytes { sealed in
      let payload = try PayloadReader(
        session.open(sealed, context: context, objectID: .zero, into: scratch)
      )
      // Nothing seals it: nil is NULL.
      guard !payload.isNull else { throw NacreError(.wrongSealedType) }
      return try Value(payload)
    }
  }
}

extension Database {
  /// Seals a value of a DAO: the envelope is bound to store, class and property, and to no row.
  ///
  /// The column that it goes to has to be noted first, by ``noteDAO(table:column:type:property:)``: otherwise no rotation
  /// finds it.
  ///
  /// - Parameters:
  ///   - value: what is sealed, of whatever storage class.
  ///   - type: the class, as the configuration names it.
  ///   - property: the property.
  /// - Returns: the envelope; NULL for NULL.
  /// - Throws: ``NacreError``, which names class and property: `storeLocked` or `noKeyRing`; `sealLimitReached`;
  ///   `transactionState` outside of `write`, where nonces are not drawn.
  package func sealDAO(_ value: Value, type: String, property: String) throws -> Value {
    if value == .null { return .null }
    return try located(type, property) {
      guard isWriter else {
        throw NacreError(.transactionState, detail: "values can be sealed only inside write { }")
      }
      let context = try dao.context(type: type, property: property)
      return try dao.seal(value, in: context, cryptSession())
    }
  }

  /// Opens what ``sealDAO(_:type:property:)`` has sealed.
  ///
  /// - Parameters:
  ///   - stored: what the column holds.
  ///   - type: the class, as the configuration names it.
  ///   - property: the property.
  /// - Returns: the value, of the storage class in which it was sealed; NULL for NULL.
  /// - Throws: ``NacreError``, which names class and property: `storeLocked` or `noKeyRing`; `notAnEnvelope` for anything
  ///   but an envelope; `tampered`, also for one of another class, property or store; `unknownKey`, `disabledKey` or
  ///   `destroyedKey`.
  package func openDAO(_ stored: Value, type: String, property: String) throws -> Value {
    if stored == .null { return .null }
    return try located(type, property) {
      let keys = home.keys
      // A locked store throws here, so that it does not report a value as plaintext that it can't
      // open.
      let session = try cryptSession()
      guard case .blob(let sealed) = stored else { throw NacreError(.notAnEnvelope) }
      let context = try dao.context(type: type, property: property)
      let version = keys.version
      do {
        return try dao.open(sealed, in: context, session)
      } catch let error as CryptoError {
        guard try keys.areNewer(than: version, for: error, on: self) else { throw error }
        return try dao.open(sealed, in: context, cryptSession())
      }
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
