/// An error of sealing, opening or handling keys.
///
/// No message contains a plaintext, a key byte or a bound value.
public struct CryptoError: Error, Sendable {
  /// The kind of failure; compare this, never the message.
  public let code: Code
  /// The key concerned, or nil if no single key is.
  public let keyID: KeyID?
  /// A sentence for people.
  public let message: String
  /// libcrypto's reason number, or 0 if libcrypto was not involved.
  public let reason: UInt
  /// The error from the caller's own code that led here, for example from a seal reservation.
  public let cause: (any Error)?

  package init(
    _ code: Code,
    keyID: KeyID? = nil,
    message: String,
    reason: UInt = 0,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.keyID = keyID
    self.message = message
    self.reason = reason
    self.cause = cause
  }
}

extension CryptoError {
  /// A kind of failure; more may be added, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: UInt8, CaseIterable {
      case wrongSecret, unknownKey, disabledKey, destroyedKey, authenticationFailed, notAnEnvelope
      case unsupportedSuite, malformedPayload, wrongPayloadType, ringTampered, noPrimaryKey
      case sealLimitReached, reservationFailed, badParameters, malformedKey, lengthTooLarge
      case randomFailure, internalFailure, slotsNotTried, catalogTampered
      case notSealed, headerDamaged, headerTampered, headerFull, newerFormat
    }

    private let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// All codes of this version.
    package static var all: [Code] { Kind.allCases.map(Code.init) }

    /// The code's name, such as `wrongSecret`.
    public var description: String { "\(kind)" }

    /// No slot opens with this secret.
    public static let wrongSecret = Code(.wrongSecret)
    /// The ring has no key with this id.
    public static let unknownKey = Code(.unknownKey)
    /// The key exists and somebody disabled it.
    public static let disabledKey = Code(.disabledKey)
    /// The key was destroyed; values sealed under it are lost.
    public static let destroyedKey = Code(.destroyedKey)
    /// The value was altered, or moved from another row, property, entity or store.
    public static let authenticationFailed = Code(.authenticationFailed)
    /// The bytes are not a sealed value.
    public static let notAnEnvelope = Code(.notAnEnvelope)
    /// The value is sealed with a cipher suite that this version does not know.
    public static let unsupportedSuite = Code(.unsupportedSuite)
    /// The value opened, but its content is not a payload.
    public static let malformedPayload = Code(.malformedPayload)
    /// The value opened, but has another type than the caller asked for.
    public static let wrongPayloadType = Code(.wrongPayloadType)
    /// The key ring in the file does not carry the MAC of its store key.
    public static let ringTampered = Code(.ringTampered)
    /// The catalog in the file does not carry the MAC of the store key.
    public static let catalogTampered = Code(.catalogTampered)
    /// The file is not a sealed file.
    public static let notSealed = Code(.notSealed)
    /// Neither copy of the sealed file's header is whole.
    public static let headerDamaged = Code(.headerDamaged)
    /// The sealed file's header is malformed, older than one already seen, or does not carry the MAC of its store key.
    public static let headerTampered = Code(.headerTampered)
    /// The sealed file's header has no room for another slot or key.
    public static let headerFull = Code(.headerFull)
    /// The sealed file was written in a later format.
    public static let newerFormat = Code(.newerFormat)
    /// The ring has no primary key for this purpose.
    public static let noPrimaryKey = Code(.noPrimaryKey)
    /// The key has sealed as often as its suite allows; rotate it.
    public static let sealLimitReached = Code(.sealLimitReached)
    /// The count of seals could not be reserved; `cause` says why.
    public static let reservationFailed = Code(.reservationFailed)
    /// A parameter is outside its accepted range.
    public static let badParameters = Code(.badParameters)
    /// No slot opened, and some were not tried because all of them together need too much work.
    public static let slotsNotTried = Code(.slotsNotTried)
    /// A key has the wrong length or does not match its check value.
    public static let malformedKey = Code(.malformedKey)
    /// The value is too long to be sealed at once.
    public static let lengthTooLarge = Code(.lengthTooLarge)
    /// The random number generator failed.
    public static let randomFailure = Code(.randomFailure)
    /// libcrypto failed; `reason` is its number.
    public static let internalFailure = Code(.internalFailure)
  }
}

extension CryptoError: CustomStringConvertible {
  /// The code, the key's id and the message.
  public var description: String {
    let key = keyID.map { " (key \($0))" } ?? ""
    return "\(code)\(key): \(message)"
  }
}

extension CryptoError {
  /// Whether the error concerns only the value at hand, so that other values may still open.
  package var isOfValue: Bool {
    switch code {
    case .notAnEnvelope, .unsupportedSuite, .authenticationFailed, .unknownKey, .disabledKey,
      .destroyedKey, .wrongPayloadType, .malformedPayload:
      true
    default: false
    }
  }
}

extension CryptoError {
  /// `lengthTooLarge` for this number of bytes.
  static func tooLong(_ count: Int) -> CryptoError {
    CryptoError(.lengthTooLarge, message: "\(count) bytes are more than can be handled at once")
  }
}
