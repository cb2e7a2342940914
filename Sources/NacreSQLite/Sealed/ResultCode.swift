import CSQLite

/// SQLite's result codes that are macros with operators, which Swift does not see, and one of our own.
enum ResultCode {
  static let readFailure = SQLITE_IOERR | (1 << 8)
  static let shortRead = SQLITE_IOERR | (2 << 8)
  static let writeFailure = SQLITE_IOERR | (3 << 8)
  static let missingFile = SQLITE_IOERR | (23 << 8)

  /// The code of a sealed file that refuses to go on; its ``SealedFault`` says why.
  ///
  /// An extended code of our own; it can't clash, because SQLite gives SQLITE_IOERR only small ones.
  static func fault(_ kind: SealedFault.Kind) -> Int32 {
    SQLITE_IOERR | (faults + kind.rawValue) << 8
  }

  /// Returns the kind of fault that a code is for; nil if it is SQLite's own.
  static func faultKind(_ code: Int32) -> SealedFault.Kind? {
    code & 0xff == SQLITE_IOERR ? SealedFault.Kind(rawValue: code >> 8 - faults) : nil
  }

  private static let faults: Int32 = 0xe0
}
