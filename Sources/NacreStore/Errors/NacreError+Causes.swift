package import Foundation
import NacreCrypto
import NacreSQLite

extension NacreError {
  /// Maps a lower module's error to `NacreError`; a `NacreError` or the caller's own error stays as it is.
  package static func wrap(_ error: any Error) -> any Error {
    switch error {
    case let error as SQLiteError:
      NacreError(code(of: error), detail: detail(of: error), cause: error)
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

  private static func code(of error: SQLiteError) -> Code {
    if error.isNotADatabase { return .notAStore }
    if error.isFull { return .diskFull }
    if error.isBusy || error.isLocked { return .busy }
    if error.isConstraint { return .constraint }
    if error.isWriteOnReader { return .transactionState }
    if error.isReadOnly { return .readOnly }
    if error.isCantOpen { return .cannotOpen }
    if error.isCorrupt { return .corrupt }
    if error.isInterrupted { return .interrupted }
    if error.isInputOutput { return .inputOutput }
    if error.isRefusedTransaction { return .transactionState }
    if error.isAuthorization { return .sealedCondition }
    if error.isTooBig { return .valueMismatch }
    // SQLITE_ERROR, MISUSE and RANGE: errors in the SQL text or its arguments.
    if error.code == 1 || error.isMisuse || error.isRange { return .badStatement }
    return .database
  }

  private static func detail(of error: SQLiteError) -> String? {
    if error.isWriteOnReader {
      return "a statement would write inside `read { }` or a call that only reads; use `write { }`"
    }
    guard error.isRefusedTransaction else { return nil }
    return
      "instead of the SQL, use `write { }`, whose nested writes are savepoints, or the store's "
      + "`begin()`, `commit()` and `rollback()`"
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
    case .sealLimitReached: .sealLimitReached
    case .malformedKey: .badSecret
    case .badParameters: .ringTampered
    case .lengthTooLarge: .valueMismatch
    default: .crypto
    }
  }
}
