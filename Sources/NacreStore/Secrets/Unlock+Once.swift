import NacreCrypto
import Synchronization

extension Unlock {
  /// Uses 32 random bytes that are drawn at the first use and kept only by this source.
  ///
  /// It is for a store that ends with the process: nobody can open it again.
  package static func drawnOnce() -> Unlock {
    let drawn = DrawnSecret()
    return Unlock { _ in .raw(try drawn.bytes()) }
  }
}

/// A secret that is drawn once.
private final class DrawnSecret: Sendable {
  private let secret = Mutex<SecretBytes?>(nil)

  func bytes() throws -> SecretBytes {
    try secret.withLock { secret -> SecretBytes in
      if let secret { return secret }
      let made = try SecretBytes(random: Unlock.secretByteCount)
      secret = made
      return made
    }
  }
}
