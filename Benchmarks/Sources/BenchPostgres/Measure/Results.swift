import Foundation

/// What all rounds have measured.
struct Results {
  /// One line of the table.
  struct Key: Hashable {
    let work: Work
    let sealed: Int
    let subject: Subject
  }

  /// Microseconds an operation, one for each round.
  private var times: [Key: [Double]] = [:]
  /// Round trips an operation.
  private var trips: [Key: Double] = [:]

  /// Notes a measurement.
  mutating func add(_ value: Double, _ key: Key, isTime: Bool) {
    if isTime { times[key, default: []].append(value) } else { trips[key] = value }
  }

  /// One line a work and subject, with a blank line before each work.
  func table() -> String {
    var lines = [Results.line("work", "sealed", "subject", "µs/op", "× floor", "trips/op", "bar")]
    for work in Work.allCases {
      for sealed in [0, 2] {
        let subjects = Subject.allCases.filter {
          times[Key(work: work, sealed: sealed, subject: $0)] != nil
        }
        if !subjects.isEmpty { lines.append("") }
        lines += subjects.map { line(Key(work: work, sealed: sealed, subject: $0)) }
      }
    }
    return lines.joined(separator: "\n")
  }

  private func line(_ key: Key) -> String {
    let own = times[key] ?? []
    let floors = times[Key(work: key.work, sealed: key.sealed, subject: .floor)] ?? []
    let ratio = median(zip(own, floors).map { $0 / $1 })
    return Results.line(
      key.work.rawValue,
      String(key.sealed),
      key.subject.rawValue,
      String(format: "%.2f", median(own)),
      String(format: "%.2f", ratio),
      trips[key].map { String(format: "%.3f", $0) } ?? "-",
      key.subject == .nacre ? key.work.bar.description(ratio: ratio, trips: trips[key]) : ""
    )
  }

  private static func line(_ cells: String...) -> String {
    let widths = [-22, 6, -18, 9, 8, 9, -24]
    let padded = zip(cells, widths).map { cell, width in
      let padding = String(repeating: " ", count: max(0, abs(width) - cell.count))
      return width < 0 ? cell + padding : padding + cell
    }
    return padded.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
  }
}

/// The middle value, or the mean of the two in the middle; 0 of nothing.
private func median(_ values: [Double]) -> Double {
  guard !values.isEmpty else { return 0 }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
