import NacreCore

/// Does every work once in fresh databases, the subjects one right after another.
struct Round {
  let number: Int
  let server: BenchServer
  let size: Int
  /// What counts the round trips; without it the works are timed.
  var proxy: TripProxy?

  /// Does the works, and notes how long they took or how many round trips.
  func run(into results: inout Results) throws {
    try withDirectory { directory in
      try runSamples(Sample.self, in: directory, &results)
      try runSamples(SealedSample.self, in: directory, &results)
      let count = max(1, size / GraphValues.rowCount)
      let graphs = try GraphWorks(server, count, directory)
      defer { try? graphs.store.close() }
      try measure(graphs.trials, sealed: 0, &results)
    }
  }

  private func runSamples<Row: MeasuredSample>(
    _ type: Row.Type,
    in directory: String,
    _ results: inout Results
  ) throws {
    let samples = try SampleWorks<Row>(server, size, directory)
    defer { try? samples.store.close() }
    try measure(samples.trials, sealed: Row.isSealed ? 2 : 0, &results)
  }

  private func measure(_ trials: [Trial], sealed: Int, _ results: inout Results) throws {
    for (index, trial) in trials.enumerated() {
      // Who comes first changes from round to round and from work to work.
      let turn = (number + index) % trial.ways.count
      for way in trial.ways[turn...] + trial.ways[..<turn] {
        let key = Results.Key(work: trial.work, sealed: sealed, subject: way.subject)
        do {
          try way.prepare()
          let value = try measure(way.run) / Double(trial.operations)
          try way.verify()
          results.add(value, key, isTime: proxy == nil)
        } catch {
          let work = "\(trial.work.rawValue), \(sealed) sealed"
          throw BenchError(description: "\(way.subject.rawValue), \(work): \(error)")
        }
      }
    }
  }

  /// Microseconds, or round trips.
  private func measure(_ body: () throws -> Void) throws -> Double {
    if let proxy {
      let before = proxy.roundTrips
      try body()
      return Double(proxy.roundTrips - before)
    }
    return try ContinuousClock().measure(body) / .microseconds(1)
  }
}
