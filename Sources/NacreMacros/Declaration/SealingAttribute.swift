import SwiftSyntax

/// The arguments of `@Encrypted` on a property.
struct SealingAttribute {
  /// The labels in their order in the declaration.
  static let labels = [
    "searchable", "unique", "bits", "normalizer", "acceptsLeakage", "hidesNil", "padding", "suite",
  ]

  /// The names in `SealedOptions` of the arguments that have another name there.
  private static let optionNames = ["searchable": "isSearchable", "unique": "isUnique"]

  let attribute: AttributeSyntax

  var searchable: LabeledExprSyntax? { attribute.argument("searchable") }
  var unique: LabeledExprSyntax? { attribute.argument("unique") }
  var bits: LabeledExprSyntax? { attribute.given("bits") }
  var normalizer: LabeledExprSyntax? {
    attribute.argument("normalizer").flatMap { $0.expression.isMember("exact") ? nil : $0 }
  }
  var acceptsLeakage: LabeledExprSyntax? { attribute.argument("acceptsLeakage") }
  var hidesNil: LabeledExprSyntax? { attribute.argument("hidesNil") }

  /// The arguments that the checks depend on, so they must be literals.
  var flags: [LabeledExprSyntax] {
    [searchable, unique, acceptsLeakage, hidesNil].compactMap(\.self)
  }

  var isUnique: Bool { unique?.expression.isTrue == true }

  /// The arguments that ask for a blind index.
  var indexing: [LabeledExprSyntax] {
    [searchable, unique].compactMap(\.self).filter { $0.expression.isTrue }
  }

  /// The arguments that have an effect only with a blind index.
  var indexOptions: [LabeledExprSyntax] {
    let accepted = acceptsLeakage.flatMap { $0.expression.isTrue ? $0 : nil }
    return [bits, normalizer, accepted].compactMap(\.self)
  }

  /// The arguments of `SealedOptions`.
  var optionArguments: [String] {
    Self.labels.compactMap { label in
      attribute.argument(label).map {
        "\(Self.optionNames[label] ?? label): \($0.expression.trimmed)"
      }
    }
  }
}
