/// How a sealed property hides the length of its values: by zeros behind them, inside the envelope.
///
/// What is grown is the padded payload: its header of 5 bytes and the value. The policy is the writer's
/// alone: a reader takes any number of zeros, so that it can be changed without touching the rows.
public enum Padding: String, Sendable, CaseIterable {
  /// Not at all: the envelope shows the length of a text or blob to the byte.
  case none
  /// To the next power of two, at least 32 bytes: few lengths remain, at up to twice the room.
  case bucketed
  /// PADMÉ (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and Communication with
  /// PURBs", PETS 2019, section 4), at least 16 bytes: beyond them at most 12 % more room.
  case padme

  /// The bytes that a padded payload of `count` bytes is grown to; `count` itself for ``none``.
  package func paddedByteCount(_ count: Int) -> Int {
    switch self {
    case .none: count
    case .bucketed: count <= 32 ? 32 : 1 << (Padding.log2(count - 1) + 1)
    case .padme: count <= 16 ? 16 : Padding.padme(count)
    }
  }

  /// `count` is a multiple of 2^(E - S), where E = floor(log2 count) and S = floor(log2 E) + 1.
  private static func padme(_ count: Int) -> Int {
    let exponent = log2(count)
    let mask = 1 << (exponent - log2(exponent) - 1) - 1
    return (count + mask) & ~mask
  }

  /// floor(log2 count) of a positive number.
  private static func log2(_ count: Int) -> Int { Int.bitWidth - 1 - count.leadingZeroBitCount }
}
