package import NacreCrypto

/// The work that a row of the journal describes.
package enum JournalWork: Equatable, Sendable {
  /// New keys take the place of the primary keys of some purposes.
  case rotation(Set<KeyPurpose>, from: [KeyID], to: [KeyID])
  /// The rows of a property get another form.
  case conversion(ConversionPlace, from: ConversionForm, to: ConversionForm)

  /// The property of a conversion; nil for a rotation.
  var place: ConversionPlace? {
    if case .conversion(let place, _, _) = self { place } else { nil }
  }

  /// The work in the columns `kind`, `from` and `to` (Vectors/FORMAT.md).
  var texts: (kind: String, from: String, to: String) {
    get throws {
      switch self {
      case .rotation(let purposes, let from, let to):
        (JournalWork.kind(purposes), JournalWork.text(from), JournalWork.text(to))
      case .conversion(_, let from, let to):
        (
          from.isSealed ? (to.isSealed ? "reseal" : "unseal") : "seal",
          try from.json, try to.json
        )
      }
    }
  }

  static let conversions: Set = ["seal", "unseal", "reseal"]
  /// The purposes of a rotation, by its kind.
  static let rotations: [String: Set<KeyPurpose>] = Dictionary(
    uniqueKeysWithValues: [[.field], [.index], [.field, .index]].map { (kind($0), $0) }
  )

  private static func kind(_ purposes: Set<KeyPurpose>) -> String {
    purposes.map { $0 == .field ? "field" : "index" }.sorted().joined(separator: "+")
  }

  private static func text(_ ids: [KeyID]) -> String {
    ids.map(\.description).joined(separator: " ")
  }

  static func ids(_ text: String) -> [KeyID] {
    text.split(separator: " ").compactMap { KeyID(String($0)) }
  }
}
