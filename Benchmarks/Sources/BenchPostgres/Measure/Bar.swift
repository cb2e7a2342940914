import Foundation

/// How much slower than the floor a work may be, and how many round trips an operation may take.
struct Bar {
  let ratio: Double
  var trips: Double?

  /// The bar in words, and whether what was measured is below it.
  func description(ratio: Double, trips: Double?) -> String {
    var text = String(format: "%.2f ×", self.ratio)
    if let limit = self.trips { text += String(format: ", %.0f per op", limit) }
    // Statements are prepared once, on the way.
    let isMet = ratio <= self.ratio && (trips ?? 0) <= (self.trips ?? .infinity) * 1.01
    return text + (isMet ? ": met" : ": missed")
  }
}
