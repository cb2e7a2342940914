import Foundation

extension String {
  /// The text without case and accents, folded by the rules of the locale.
  package var foldedForSearch: String {
    folding(options: [.caseInsensitive, .diacriticInsensitive], locale: .current)
  }
}
