package import Foundation
import NacreCrypto
import NacreEngine

extension NacreError {
  /// Maps a lower module's error to `NacreError`; a `NacreError` or the caller's own error stays as it is.
  package static func wrap(_ error: any Error) -> any Error {
    switch error {
    case let error as any EngineError:
      // A sealer's own error says more of a header than the engine's does.
      error.origin as? NacreError
        ?? NacreError(code(of: error.kind), detail: detail(of: error), cause: error)
    case let error as HomeError:
      NacreError(code(of: error.kind), detail: error.detail, cause: error.cause)
    case let error as CryptoError: NacreError(code(of: error), cause: error)
    case let error as ValueError: NacreError(.valueMismatch, cause: error)
    case is PoolClosedError: NacreError(.storeClosed)
    case let error as PoolTimeoutError: of(error)
    default: error
    }
  }

  /// Maps an error and sets a place that is known by its names, replacing any place that the error has.
  package static func wrap(
    _ error: any Error,
    entity: String,
    property: String,
    objectID: UUID?
  ) -> any Error {
    guard var error = wrap(error) as? NacreError else { return error }
    error.entity = entity
    error.property = property
    if let objectID { error.objectID = objectID }
    return error
  }

  /// Runs `body` and maps its errors to `NacreError`.
  package static func wrapping<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw wrap(error) }
  }

  private static func code(of kind: EngineErrorKind) -> Code {
    switch kind {
    case .notADatabase: .notAStore
    case .full: .diskFull
    case .busy: .busy
    case .conflict: .transactionConflict
    case .deadlock: .deadlock
    case .timedOut: .timedOut
    case .connectionLost: .connectionLost
    case .constraint: .constraint
    case .writeOnReader, .refusedTransaction: .transactionState
    case .readOnly: .readOnly
    case .cannotOpen: .cannotOpen
    case .notPermitted: .notPermitted
    case .onServer: .onServer
    case .inMemory: .inMemory
    case .corrupt: .corrupt
    case .sealBroken: .pageTampered
    case .otherStore: .otherStore
    case .newerFormat: .newerFormat
    case .interrupted: .interrupted
    case .inputOutput: .inputOutput
    case .commitUnknown: .commitUnknown
    case .refusedAccess: .sealedCondition
    case .tooLarge, .badValue: .valueMismatch
    case .badStatement, .overflow: .badStatement
    case .rolledBack, .other: .database
    }
  }

  private static func detail(of error: any EngineError) -> String? {
    switch error.kind {
    case .sealBroken, .otherStore, .newerFormat, .refusedAccess: error.message
    case .writeOnReader:
      "a statement would write inside `read { }` or a call that only reads; use `write { }`"
    case .refusedTransaction:
      "instead of the SQL, use `write { }`, whose nested writes are savepoints, or the store's "
        + "`begin()`, `commit()` and `rollback()`"
    default: nil
    }
  }

  package static func code(of error: CryptoError) -> Code {
    switch error.code {
    case .wrongSecret: .wrongSecret
    case .slotsNotTried: .slotsNotTried
    case .unknownKey: .unknownKey
    case .disabledKey: .disabledKey
    case .destroyedKey: .destroyedKey
    case .authenticationFailed: .tampered
    case .notAnEnvelope, .unsupportedSuite: .notAnEnvelope
    case .malformedPayload, .wrongPayloadType: .wrongSealedType
    case .ringTampered, .noPrimaryKey: .ringTampered
    case .catalogTampered: .catalogTampered
    case .notSealed: .notSealed
    case .headerDamaged: .headerDamaged
    case .headerTampered: .headerTampered
    case .headerFull: .headerFull
    case .newerFormat: .newerFormat
    case .sealLimitReached: .sealLimitReached
    case .malformedKey: .badSecret
    case .badParameters: .ringTampered
    case .lengthTooLarge: .valueMismatch
    default: .crypto
    }
  }
}
