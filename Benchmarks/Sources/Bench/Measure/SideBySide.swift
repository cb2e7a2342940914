import Foundation

/// One kind of work that Nacre and another, or two stores of Nacre's, do in turns.
struct SideBySide {
  let name: String
  /// What one round does; both have to say that they did as many.
  let operations: Int
  /// What comes before the turns of a round and is not timed.
  var prepare: () throws -> Void = {}
  let nacre: () throws -> Int
  let other: () throws -> Int

  /// Does works round by round.
  ///
  /// - Parameters:
  ///   - works: what to do.
  ///   - subject: the name of what is measured.
  ///   - other: the name of what it is measured against.
  ///   - rounds: how often everything is done.
  /// - Returns: a line a work, with the medians and the median of the rounds' ratios.
  /// - Throws: what a work throws.
  static func lines(
    _ works: [SideBySide],
    of subject: String = "Nacre",
    against other: String,
    rounds: Int
  ) throws -> [String] {
    var times: [[(nacre: Double, other: Double)]] = works.map { _ in [] }
    for round in 0..<rounds {
      for (index, work) in works.enumerated() {
        try work.prepare()
        let isFirst = (round + index) % 2 == 0
        let before = isFirst ? try work.time(work.nacre) : nil
        let others = try work.time(work.other)
        times[index].append((nacre: try before ?? work.time(work.nacre), other: others))
      }
    }
    return zip(works, times).map { work, times in
      let ratio = median(times.map { $0.nacre / $0.other })
      return
        "\(work.name): \(subject) \(hundredths(median(times.map(\.nacre)))) µs, "
        + "\(other) \(hundredths(median(times.map(\.other)))) µs (\(hundredths(ratio)) ×)"
    }
  }

  /// Microseconds an operation.
  private func time(_ body: () throws -> Int) throws -> Double {
    var found = 0
    let elapsed = try microseconds { found = try body() }
    guard found == operations else {
      throw RoundError(description: "\(name): \(found) instead of \(operations)")
    }
    return elapsed / Double(operations)
  }
}

private func hundredths(_ value: Double?) -> String { String(format: "%.2f", value ?? 0) }
