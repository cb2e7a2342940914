/// What the rounds of one work, size and subject come to.
struct Summary: Encodable {
  let work: String
  let size: Int
  /// The number of sealed properties: 0 or 2.
  let sealed: Int
  let subject: String
  /// The median of the rounds.
  let nanosecondsPerOperation: Double
  /// The median of the rounds' ratios, each to the floor of the same round.
  let ratioToFloor: Double
  /// The median of the rounds; not part of the JSON.
  let memoryGrowth: Int?

  private enum CodingKeys: String, CodingKey {
    case work, size, sealed, subject, nanosecondsPerOperation, ratioToFloor
  }

  /// Sums up all measurements, in the order in which works and subjects are declared.
  static func make(of measurements: [Measurement]) -> [Summary] {
    var summaries: [Summary] = []
    let groups = Dictionary(grouping: measurements) { Key($0) }
    let sizes = Set(measurements.map(\.size)).sorted()
    for work in Work.allCases {
      for sealed in [false, true] {
        for size in sizes {
          let floor = groups[Key(work: work, size: size, sealed: sealed, subject: .floor)] ?? []
          for subject in Subject.allCases {
            let key = Key(work: work, size: size, sealed: sealed, subject: subject)
            guard let rounds = groups[key] else { continue }
            summaries.append(Summary(key, rounds, floor: floor))
          }
        }
      }
    }
    return summaries
  }

  private struct Key: Hashable {
    let work: Work
    let size: Int
    let sealed: Bool
    let subject: Subject

    init(work: Work, size: Int, sealed: Bool, subject: Subject) {
      self.work = work
      self.size = size
      self.sealed = sealed
      self.subject = subject
    }

    init(_ measurement: Measurement) {
      self.init(
        work: measurement.work,
        size: measurement.size,
        sealed: measurement.sealed,
        subject: measurement.subject
      )
    }
  }

  private init(_ key: Key, _ rounds: [Measurement], floor: [Measurement]) {
    work = key.work.rawValue
    size = key.size
    sealed = key.sealed ? 2 : 0
    subject = key.subject.rawValue
    nanosecondsPerOperation = median(rounds.map(\.nanosecondsPerOperation)) ?? 0
    let floors = Dictionary(
      floor.map { ($0.round, $0.nanosecondsPerOperation) },
      uniquingKeysWith: { first, _ in first }
    )
    ratioToFloor =
      median(
        rounds.compactMap { measurement in
          floors[measurement.round].map { measurement.nanosecondsPerOperation / $0 }
        }
      ) ?? 0
    memoryGrowth = median(rounds.compactMap(\.memoryGrowth).map(Double.init)).map { Int($0) }
  }
}

/// The middle value, or the mean of the two in the middle; nil of nothing.
func median(_ values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
