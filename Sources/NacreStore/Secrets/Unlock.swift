import Foundation
public import NacreCrypto

/// The source of the secret that unlocks a store.
///
/// An open store keeps the source, and asks it again when another process has rewrapped the store.
public struct Unlock: Sendable {
  /// The number of bytes in a secret that is not a passphrase.
  public static let secretByteCount = 32

  /// Returns the secret.
  ///
  /// `isNew` is true if the store's key ring or one of its slots will be created with the secret.
  package let secret: @Sendable (_ isNew: Bool) throws -> SlotSecret
  /// The slot on which the secret is tried; nil for all slots of its kind.
  var slotID: Int64?

  init(_ secret: @escaping @Sendable (_ isNew: Bool) throws -> SlotSecret) { self.secret = secret }

  /// Reads 32 bytes from a key file, a text file of mode 0600 (Vectors/FORMAT.md).
  ///
  /// - Parameters:
  ///   - path: The key file.
  ///   - createIfMissing: Whether to create a missing file with fresh random bytes; only for a
  ///     store that has no key ring yet, or for a slot that is added or changed.
  /// - Returns: The source of the secret.
  public static func keyFile(_ path: String, createIfMissing: Bool = false) -> Unlock {
    Unlock { isNew in
      if isNew && createIfMissing && !FileManager.default.fileExists(atPath: path) {
        return .raw(try KeyFile.create(at: path))
      }
      return .raw(try KeyFile.read(from: path))
    }
  }

  /// Reads 32 bytes as 64 hex digits from an environment variable.
  public static func environment(_ name: String) -> Unlock {
    Unlock { _ in
      guard let value = getenv(name) else {
        throw NacreError(.badSecret, detail: "the environment has no variable \(name)")
      }
      let text = UnsafeRawBufferPointer(start: value, count: strlen(value))
      return .raw(try HexSecret.decode(text, source: "the variable \(name)"))
    }
  }

  /// Reads 32 bytes as 64 hex digits from the standard output of a command.
  ///
  /// `/bin/sh` runs the command, and the store waits five minutes for it.
  public static func command(_ command: String) -> Unlock {
    Unlock { _ in .raw(try SecretCommand.run(command)) }
  }

  /// Uses a passphrase, stretched by scrypt (RFC 7914) with N = 2^17, r = 8, p = 1, which takes
  /// about half a second.
  public static func passphrase(_ passphrase: SecretBytes) -> Unlock {
    Unlock { _ in
      guard passphrase.count > 0 else {
        throw NacreError(.badSecret, detail: "the passphrase is empty")
      }
      return .passphrase(passphrase)
    }
  }

  /// Uses a passphrase in a string, of which Swift may leave copies in memory; prefer
  /// ``passphrase(_:)-(SecretBytes)``.
  public static func passphrase(_ passphrase: String) -> Unlock {
    Unlock { isNew in
      var passphrase = passphrase
      let secret = try passphrase.withUTF8 { try SecretBytes(copying: UnsafeRawBufferPointer($0)) }
      return try Unlock.passphrase(secret).secret(isNew)
    }
  }

  /// Uses 32 bytes that the application has, or gets from a key management service on request.
  ///
  /// - Parameter provide: Returns exactly 32 bytes. The store calls it at open, and again when
  ///   another process has rewrapped the store, then perhaps inside a transaction.
  /// - Returns: The source of the secret.
  public static func callback(_ provide: @escaping @Sendable () throws -> SecretBytes) -> Unlock {
    Unlock { _ in
      let secret = try provide()
      guard secret.count == secretByteCount else {
        throw NacreError(
          .badSecret,
          detail: "\(secret.count.counted("byte")) instead of \(secretByteCount)"
        )
      }
      return .raw(secret)
    }
  }
}
