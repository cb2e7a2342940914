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
        (
          JournalWork.rotations.first { $0.value == purposes }?.key ?? "",
          JournalWork.text(from), JournalWork.text(to)
        )
      case .conversion(_, let from, let to):
        (
          from.isSealed ? (to.isSealed ? "reseal" : "unseal") : "seal",
          try from.json, try to.json
        )
      }
    }
  }

  static let conversions: Set = ["seal", "unseal", "reseal"]
  static let rotations: [String: Set<KeyPurpose>] = [
    "field": [.field], "index": [.index], "field+index": [.field, .index],
  ]

  private static func text(_ ids: [KeyID]) -> String {
    ids.map(\.description).joined(separator: " ")
  }

  static func ids(_ text: String) -> [KeyID] {
    text.split(separator: " ").compactMap { KeyID(String($0)) }
  }
}
