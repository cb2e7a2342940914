import NacreCrypto
import Synchronization

/// Random bits for identifiers, from libcrypto's generator in slices of a pooled draw.
enum IdentifierRandom {
  // RandomPool is not Sendable; the mutex is the only way to it.
  private static let pool = Mutex(RandomPool())

  static func next() -> (high: UInt64, low: UInt64) {
    pool.withLock { pool in
      if let (high, low) = try? pool.next16() { return (high, low) }
      // An identifier is no secret: the system's generator does when libcrypto's is out of order.
      var generator = SystemRandomNumberGenerator()
      return (generator.next(), generator.next())
    }
  }
}
