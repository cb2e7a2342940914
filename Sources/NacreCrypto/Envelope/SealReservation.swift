/// Counts the seals of a key whose suite limits them, in blocks that the caller makes durable.
///
/// Called with the key and the number wanted before a block runs out; returns how many were
/// granted, after it has recorded them so that no crash can hand them out again. 0 means that the
/// key's limit is reached.
package typealias SealReservation = (KeyID, UInt64) throws -> UInt64

extension Suite {
  /// How many seals may still be granted to a key, of so many wanted.
  ///
  /// - Parameters:
  ///   - wanted: the size of a block.
  ///   - reserved: how many were reserved for the key before.
  /// - Returns: how many to record as reserved; 0 at the limit.
  package func grant(_ wanted: UInt64, reserved: UInt64) -> UInt64 {
    guard let limit = sealLimit else { return wanted }
    return reserved >= limit ? 0 : min(wanted, limit - reserved)
  }
}
