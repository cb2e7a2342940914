/// The purpose of a data key.
public enum KeyPurpose: UInt8, Sendable, CaseIterable {
  /// Seals values.
  case field = 1
  /// Computes blind indexes.
  case index = 2
}
