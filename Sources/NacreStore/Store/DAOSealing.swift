import Foundation
import NacreCrypto
import NacreEngine
import NacreSQLite

/// Seals and opens DAOs' values on one connection, and remembers which of their columns the catalog
/// has.
///
/// Such a value is bound to a class and a property, because there is no object to bind it to.
final class DAOSealing {
  private let storeID: StoreID
  private let writer = PayloadWriter()
  private let scratch = ScratchBuffer()
  private var contexts: [DAOPlace: FieldContext] = [:]
  /// The columns that were found in the catalog since the tables were last checked.
  var known: Set<DAOColumn> = []

  init(storeID: StoreID) { self.storeID = storeID }

  /// Returns the context to which a property's values are bound.
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
    // Clear the memory: it lives as long as the connection, but the plaintext must not.
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
      // No DAO seals a null, because nil is stored as NULL.
      guard !payload.isNull else { throw NacreError(.wrongSealedType) }
      return try Value(payload)
    }
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
      let context = try dao.context(type: type, property: property)
      return try dao.seal(value, in: context, cryptSession())
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
