/// Counts the seals of a key whose suite limits them, in blocks that the caller makes durable.
///
/// The sealer calls it with the key and the wanted number before a block runs out. It must record the granted number so
/// that no crash can hand out the same seals again, and then return that number. 0 means that the key's limit is
/// reached.
package typealias SealReservation = (KeyID, UInt64) throws -> UInt64

extension Suite {
  /// How many of the wanted seals a key may still get.
  ///
  /// - Parameters:
  ///   - wanted: The size of a block.
  ///   - reserved: How many seals were reserved for the key before.
  /// - Returns: How many seals to record as reserved; 0 at the limit.
  package func grant(_ wanted: UInt64, reserved: UInt64) -> UInt64 {
    guard let limit = sealLimit else { return wanted }
    return reserved >= limit ? 0 : min(wanted, limit - reserved)
  }
}
