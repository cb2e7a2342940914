/// The purpose of a data key.
public enum KeyPurpose: UInt8, Sendable, CaseIterable {
  /// Seals values.
  case field = 1
  /// Computes blind indexes.
  case index = 2
  /// Seals the pages of a sealed file; these keys are in the file's header, never in the ring.
  case file = 3

  /// The purposes that a key of the ring can have.
  package static let ofRing: [KeyPurpose] = [.field, .index]
}
