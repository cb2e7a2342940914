/// How a sealed property hides the length of its values: with zeros after the value, inside the envelope.
///
/// The padding grows the padded payload, which is its header of 5 bytes and the value. Only the writer applies the
/// policy. A reader accepts any number of zeros, so the policy can change without touching the rows.
public enum Padding: String, Sendable, CaseIterable {
  /// Adds no padding; the envelope shows the exact length of a text or blob.
  case none
  /// Grows to the next power of two, at least 32 bytes; few lengths remain, at up to twice the space.
  case bucketed
  /// Grows by PADMÉ (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and Communication with PURBs",
  /// PETS 2019, section 4), to at least 16 bytes; longer values take at most 12 % more space.
  case padme

  /// The number of bytes to which a padded payload of `count` bytes grows; `count` itself for ``none``.
  package func paddedByteCount(_ count: Int) -> Int {
    switch self {
    case .none: count
    case .bucketed: count <= 32 ? 32 : 1 << (Padding.log2(count - 1) + 1)
    case .padme: count <= 16 ? 16 : Padding.padme(count)
    }
  }

  /// Rounds `count` up to a multiple of 2^(E - S), where E = floor(log2 count) and S = floor(log2 E) + 1.
  private static func padme(_ count: Int) -> Int {
    let exponent = log2(count)
    let mask = 1 << (exponent - log2(exponent) - 1) - 1
    return (count + mask) & ~mask
  }

  /// floor(log2 count) of a positive number.
  private static func log2(_ count: Int) -> Int { Int.bitWidth - 1 - count.leadingZeroBitCount }
}
