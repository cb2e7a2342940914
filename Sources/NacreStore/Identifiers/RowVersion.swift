/// The numbers by which a class that detects conflicts tells one state of a row from another.
package enum RowVersion {
  /// The bits of a version that are kept before it grows, so that no sum is too large.
  static let mask: Int64 = 1 << 62 - 1
  /// The bits of the random part of a step.
  static let step: UInt64 = 1 << 31 - 1

  /// The version of a row that is inserted.
  package static func first() -> Int64 { next(after: 0) }

  /// The version of a row that had another one and is updated.
  package static func next(after version: Int64) -> Int64 {
    (version & mask) + 1 + Int64(IdentifierRandom.next().low & step)
  }
}
