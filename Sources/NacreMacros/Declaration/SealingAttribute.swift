import SwiftSyntax

/// What `@Encrypted` says of a property.
struct SealingAttribute {
  /// The labels in their order.
  static let labels = [
    "searchable", "unique", "bits", "normalizer", "acceptsLeakage", "hidesNil", "padding", "suite",
  ]

  /// The names that `SealedOptions` has for those of them that it calls otherwise.
  private static let optionNames = ["searchable": "isSearchable", "unique": "isUnique"]

  let attribute: AttributeSyntax
  let searchable: LabeledExprSyntax?
  let unique: LabeledExprSyntax?
  let bits: LabeledExprSyntax?
  let normalizer: LabeledExprSyntax?
  let acceptsLeakage: LabeledExprSyntax?
  let hidesNil: LabeledExprSyntax?

  init(parsing attribute: AttributeSyntax) {
    self.attribute = attribute
    searchable = attribute.argument("searchable")
    unique = attribute.argument("unique")
    bits = attribute.argument("bits").flatMap { $0.expression.isNilLiteral ? nil : $0 }
    normalizer = attribute.argument("normalizer").flatMap {
      $0.expression.isMember("exact") ? nil : $0
    }
    acceptsLeakage = attribute.argument("acceptsLeakage")
    hidesNil = attribute.argument("hidesNil")
  }

  /// The arguments that a check depends on, and so have to be literals.
  var flags: [LabeledExprSyntax] {
    [searchable, unique, acceptsLeakage, hidesNil].compactMap(\.self)
  }

  var isUnique: Bool { unique?.expression.isTrue == true }

  /// The arguments that ask for a blind index.
  var indexing: [LabeledExprSyntax] {
    [searchable, unique].compactMap(\.self).filter { $0.expression.isTrue }
  }

  /// The arguments that say something of a blind index.
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
