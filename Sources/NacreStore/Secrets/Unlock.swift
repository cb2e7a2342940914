import Foundation
public import NacreCrypto

/// Where the secret that unlocks a store comes from.
///
/// An open store keeps it, and asks it again when another process has rewrapped the store.
public struct Unlock: Sendable {
  /// How many bytes a secret has that is no passphrase.
  public static let secretByteCount = 32

  /// Gives the secret.
  ///
  /// `isNew` says that a store's key ring, or a slot of it, will be made with it.
  package let secret: @Sendable (_ isNew: Bool) throws -> SlotSecret
  /// The slot that it is tried on; nil for all of its kind.
  var slotID: Int64?

  init(_ secret: @escaping @Sendable (_ isNew: Bool) throws -> SlotSecret) { self.secret = secret }

  /// 32 bytes in a key file, a text of mode 0600 (Vectors/FORMAT.md).
  ///
  /// - Parameters:
  ///   - path: the key file.
  ///   - createIfMissing: makes the file with fresh random bytes, but only for a store that has no key ring yet, or
  ///     for a slot that is added or changed.
  /// - Returns: the source of the secret.
  public static func keyFile(_ path: String, createIfMissing: Bool = false) -> Unlock {
    Unlock { isNew in
      if isNew && createIfMissing && !FileManager.default.fileExists(atPath: path) {
        return .raw(try KeyFile.create(at: path))
      }
      return .raw(try KeyFile.read(from: path))
    }
  }

  /// 32 bytes as 64 hex digits in an environment variable.
  public static func environment(_ name: String) -> Unlock {
    Unlock { _ in
      guard let value = getenv(name) else {
        throw NacreError(.badSecret, detail: "the environment has no variable \(name)")
      }
      let text = UnsafeRawBufferPointer(start: value, count: strlen(value))
      return .raw(try HexSecret.decode(text, source: "the variable \(name)"))
    }
  }

  /// 32 bytes as 64 hex digits on the standard output of a command, which `/bin/sh` runs and which is waited for five
  /// minutes.
  public static func command(_ command: String) -> Unlock {
    Unlock { _ in .raw(try SecretCommand.run(command)) }
  }

  /// A passphrase, stretched by scrypt (RFC 7914) with N = 2^17, r = 8, p = 1: about half a second.
  public static func passphrase(_ passphrase: SecretBytes) -> Unlock {
    Unlock { _ in
      guard passphrase.count > 0 else {
        throw NacreError(.badSecret, detail: "the passphrase is empty")
      }
      return .passphrase(passphrase)
    }
  }

  /// A passphrase in a string, of which Swift may leave copies in memory; prefer ``passphrase(_:)-(SecretBytes)``.
  public static func passphrase(_ passphrase: String) -> Unlock {
    Unlock { isNew in
      var passphrase = passphrase
      let secret = try passphrase.withUTF8 { try SecretBytes(copying: UnsafeRawBufferPointer($0)) }
      return try Unlock.passphrase(secret).secret(isNew)
    }
  }

  /// 32 bytes that the application has, or gets from a key management service when it is asked.
  ///
  /// - Parameter provide: called at open, and again when the store was rewrapped by another process, then perhaps
  ///   inside a transaction; gives exactly 32 bytes.
  /// - Returns: the source of the secret.
  public static func callback(_ provide: @escaping @Sendable () throws -> SecretBytes) -> Unlock {
    Unlock { _ in
      let secret = try provide()
      guard secret.count == secretByteCount else {
        throw NacreError(.badSecret, detail: "\(secret.count) bytes instead of \(secretByteCount)")
      }
      return .raw(secret)
    }
  }
}
