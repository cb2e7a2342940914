/// scrypt's parameters as a passphrase slot stores them.
///
/// `{"kdf":"scrypt","n":131072,"r":8,"p":1,"salt":"hex"}`; members in any order, none missing, none unknown.
struct ScryptParameters: Equatable, Sendable {
  /// The accepted N: from 16 MiB of memory to 1 GiB, with r = 8.
  static let acceptedN: ClosedRange<UInt64> = 1 << 14...1 << 20
  static let saltByteCount = 32

  let n: UInt64
  let salt: [UInt8]

  /// Checks the parameters; r is always 8 and p is always 1.
  ///
  /// - Throws: `badParameters`.
  init(n: UInt64, salt: [UInt8]) throws(CryptoError) {
    guard Self.acceptedN.contains(n), n & (n - 1) == 0 else {
      throw .badScrypt("scrypt's N must be a power of two from 2^14 to 2^20")
    }
    guard salt.count == Self.saltByteCount else {
      throw .badScrypt("scrypt's salt must have 32 bytes")
    }
    self.n = n
    self.salt = salt
  }

  /// Reads the text that a slot stores.
  ///
  /// - Throws: `badParameters`.
  init(json: String) throws(CryptoError) {
    // 1,024 bytes are far more than a slot's text has, and are quick to read.
    guard json.utf8.count <= 1024, let members = FlatJSON.members(of: json),
      Set(members.keys) == ["kdf", "n", "r", "p", "salt"],
      members["kdf"] == .string("scrypt"), members["r"] == .number(8), members["p"] == .number(1),
      case .number(let n)? = members["n"],
      case .string(let hex)? = members["salt"], let salt = [UInt8](hex: hex)
    else { throw .badScrypt("the slot's parameters are not those of scrypt with r = 8 and p = 1") }
    try self.init(n: n, salt: salt)
  }

  /// The text that a slot stores.
  var json: String {
    #"{"kdf":"scrypt","n":\#(n),"r":8,"p":1,"salt":"\#(salt.hex)"}"#
  }

  /// The slot key, 32 bytes.
  func derive(_ passphrase: SecretBytes) throws(CryptoError) -> SecretBytes {
    try Scrypt.derive(passphrase, salt: salt, n: n, r: 8, p: 1)
  }
}

/// A reader for one JSON object of strings without escapes and of whole numbers; a slot needs no more.
struct FlatJSON {
  enum Value: Equatable {
    case string(String)
    case number(UInt64)
  }

  private var rest: ArraySlice<UInt8>

  private init(_ text: String) { rest = Array(text.utf8)[...] }

  /// The members, or nil if the text is anything other than such an object or repeats a name.
  static func members(of text: String) -> [String: Value]? {
    var reader = FlatJSON(text)
    return reader.object()
  }

  private mutating func object() -> [String: Value]? {
    var members: [String: Value] = [:]
    guard take("{") else { return nil }
    repeat {
      guard let name = string(), take(":"), let value = value(),
        members.updateValue(value, forKey: name) == nil
      else { return nil }
    } while take(",")
    guard take("}") else { return nil }
    skipSpace()
    return rest.isEmpty ? members : nil
  }

  private mutating func value() -> Value? {
    if let text = string() { return .string(text) }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    guard digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
    return UInt64(String(decoding: digits, as: UTF8.self)).map(Value.number)
  }

  /// Reads a string of printable ASCII without quotes and backslashes, or returns nil.
  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    let text = rest.prefix {
      (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    rest = rest.dropFirst(text.count)
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    rest = rest.dropFirst()
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    skipSpace()
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
  }
}

extension CryptoError {
  fileprivate static func badScrypt(_ message: String) -> CryptoError {
    CryptoError(.badParameters, message: message)
  }
}
