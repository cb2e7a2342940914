/// One work, done once by one subject.
struct Measurement {
  let work: Work
  let size: Int
  let sealed: Bool
  let subject: Subject
  let round: Int
  let nanosecondsPerOperation: Double
  /// By how many bytes the process grew at most while the work was done; nil where nobody tells.
  let memoryGrowth: Int?

  /// Does the work and measures it by a monotonic clock.
  ///
  /// A read is done once before, which warms the caches and shows how much memory it takes:
  /// memory that was just given back to the kernel would cost page faults while the clock runs.
  init<S>(
    _ work: Work,
    size: Int,
    sealed: Bool,
    subject: Subject,
    round: Int,
    operations: Int,
    by doer: S,
    _ body: (S) throws -> Void,
    verify: (S) throws -> Void
  ) throws {
    self.work = work
    self.size = size
    self.sealed = sealed
    self.subject = subject
    self.round = round
    let start = ResidentMemory.resetPeak()
    var growth: Int?
    if work.isRead {
      try body(doer)
      growth = ResidentMemory.growth(since: start)
      try verify(doer)
    }
    let duration = try ContinuousClock().measure { try body(doer) }
    memoryGrowth = growth ?? ResidentMemory.growth(since: start)
    try verify(doer)
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    nanosecondsPerOperation = nanoseconds / Double(max(operations, 1))
  }
}
