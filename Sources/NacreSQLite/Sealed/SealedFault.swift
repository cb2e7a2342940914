/// Why a sealed file refused to read or write.
struct SealedFault: Sendable, Equatable {
  /// The kind of fault.
  enum Kind: Int32, Sendable {
    /// Bytes that the keys' holder did not write there.
    case notAuthentic
    /// Bytes under a key that the header does not have.
    case unknownKey
    /// A page whose last bytes are missing.
    case truncated
    /// A log or journal of another store.
    case otherStore
    /// A log or journal of a later version.
    case newerFormat
    /// Something that SQLite asked for, and that a sealed file can't do.
    case refused
    /// The sealer itself failed.
    case sealer
  }

  let kind: Kind
  /// A sentence that says which bytes were refused, and where they are.
  let message: String
  /// The error of the sealer, for that kind.
  var cause: (any Error)?

  init(_ kind: Kind, _ message: String, cause: (any Error)? = nil) {
    self.kind = kind
    self.message = message
    self.cause = cause
  }

  static func == (left: SealedFault, right: SealedFault) -> Bool {
    left.kind == right.kind && left.message == right.message
  }
}
