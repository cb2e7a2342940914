package import NacreEngine

extension SQLiteError: EngineError {
  /// The kind of failure, by SQLite's codes.
  package var kind: EngineErrorKind {
    if let fault = ResultCode.faultKind(extendedCode) { return Self.kind(of: fault) }
    if isNotADatabase { return .notADatabase }
    if isFull { return .full }
    if isConflict { return .conflict }
    if isBusy || isLocked { return .busy }
    if isConstraint { return .constraint }
    if isWriteOnReader { return .writeOnReader }
    if isReadOnly { return .readOnly }
    if isCantOpen { return .cannotOpen }
    if isCorrupt { return .corrupt }
    if isInterrupted { return .interrupted }
    if isCommitUnknown { return .commitUnknown }
    if isInputOutput { return .inputOutput }
    if isRefusedTransaction { return .refusedTransaction }
    if isAuthorization { return .refusedAccess }
    if isTooBig { return .tooLarge }
    if isRolledBack { return .rolledBack }
    // SQLITE_ERROR has no subcode for an overflow.
    if code == 1, message == "integer overflow" { return .overflow }
    // SQLITE_ERROR, MISUSE and RANGE: errors in the SQL text or its arguments.
    return code == 1 || isMisuse || isRange ? .badStatement : .other
  }

  private static func kind(of fault: SealedFault.Kind) -> EngineErrorKind {
    switch fault {
    case .notAuthentic, .unknownKey, .truncated: .sealBroken
    case .otherStore: .otherStore
    case .newerFormat: .newerFormat
    case .refused: .badStatement
    case .sealer: .inputOutput
    }
  }

  /// The constraint that was violated; SQLite tells the column in the message alone.
  package var violation: ConstraintViolation? {
    guard isConstraint else { return nil }
    let kind: ConstraintViolation.Kind =
      isUniqueConstraint
      ? .unique : isForeignKey ? .foreignKey : isNotNull ? .notNull : isCheck ? .check : .other
    // The column follows in `UNIQUE constraint failed: Car.plate`.
    let place = message.firstRange(of: ": ").map { String(message[$0.upperBound...]) }
    return ConstraintViolation(kind: kind, place: place)
  }

  /// The index, trigger or view of `error in trigger audit after drop column: …`.
  package var dependent: String? {
    guard code == 1, message.hasPrefix("error in ") else { return nil }
    let rest = message.dropFirst("error in ".count)
    let ends = [" after ", ": "].compactMap { rest.firstRange(of: $0)?.lowerBound }
    return ends.min().map { String(rest[..<$0]) }
  }

  package func withoutTexts() -> any EngineError {
    let hidden = withoutValues()
    return SQLiteError(extendedCode: hidden.extendedCode, message: hidden.message)
  }
}
