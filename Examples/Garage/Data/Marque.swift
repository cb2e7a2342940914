import Foundation

/// The manufacturers' names behind the data set's spellings.
enum Marque {
  /// The spellings that need more than capital letters, with the right names.
  ///
  /// `hi` is International Harvester, which made the 1200D; `capri` is a model of Ford's.
  private static let corrections = [
    "amc": "AMC",
    "bmw": "BMW",
    "capri": "Ford",
    "chevroelt": "Chevrolet",
    "chevy": "Chevrolet",
    "hi": "International Harvester",
    "maxda": "Mazda",
    "mercedes": "Mercedes-Benz",
    "mercedes-benz": "Mercedes-Benz",
    "toyouta": "Toyota",
    "vokswagen": "Volkswagen",
    "vw": "Volkswagen",
  ]

  /// The manufacturer's name for one spelling of it.
  static func name(for spelling: String) -> String {
    corrections[spelling] ?? spelling.capitalized
  }
}
