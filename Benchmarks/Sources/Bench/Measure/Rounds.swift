import Foundation

/// Does the works round by round, the subjects interleaved.
///
/// Each work is done by one subject right after another, in an order that changes from round to
/// round and from work to work.
struct Rounds {
  let works: Set<Work>
  let size: Int
  let sealed: Bool
  private(set) var measurements: [Measurement] = []
  private let subjects: [Subject]

  /// - Parameters:
  ///   - works: what to measure.
  ///   - size: the number of rows that are stored.
  ///   - sealed: whether two properties are sealed.
  init(_ works: Set<Work>, size: Int, sealed: Bool) {
    self.works = works
    self.size = size
    self.sealed = sealed
    subjects = Subject.all(sealed: sealed)
  }

  /// Does one round in fresh files.
  mutating func run(_ round: Int) throws {
    try withBenchDirectory { directory in
      if !works.isDisjoint(with: Work.ofSamples) {
        try runSamples(round, in: directory + "/samples")
      }
      if !works.isDisjoint(with: Work.ofGraphs) { try runGraphs(round, in: directory + "/graphs") }
    }
  }

  private mutating func runSamples(_ round: Int, in directory: String) throws {
    let sealed = sealed
    let values = SampleValues.make(count: size)
    var random = SeededGenerator(seed: UInt64(round))
    // More would only take longer: GRDB needs nearly a second for these.
    let sought = values.shuffled(using: &random).prefix(10_000)
    let identifiers = sought.map(\.objectID)
    let all = Checksum(values, sealed: sealed)
    let some = Checksum(sought, sealed: sealed)

    let opened = try open(directory) { try $0.openSamples(in: $1, sealed: sealed) }
    for (_, subject) in opened { subject.make(values) }
    for work in Work.ofSamples
    where (works.contains(work) || work.isFirst) && (sealed || !work.needsSealing) {
      let operations = work == .fetchByID ? identifiers.count : values.count
      try perform(work, round, operations, opened) { subject in
        switch work {
        case .insert: try subject.insert()
        case .fetchAll: try subject.fetchAll()
        case .fetchByID: try subject.fetch(identifiers)
        case .rotate: try subject.rotate()
        default: try subject.update()
        }
      } verify: { subject in
        switch work {
        case .fetchAll: try expect(all, subject.takeChecksum())
        case .fetchByID: try expect(some, subject.takeChecksum())
        default:
          // What was written counts only if it can be read.
          try subject.fetchAll()
          let updated = Checksum(
            values,
            sealed: sealed,
            powerIncrement: work == .update && !sealed ? 1 : 0
          )
          try expect(updated, subject.takeChecksum())
        }
      }
    }
  }

  private mutating func runGraphs(_ round: Int, in directory: String) throws {
    let values = GraphValues.make(count: max(1, size / GraphValues.rowCount))
    let all = Checksum(values, sealed: sealed)
    let opened = try open(directory) { try $0.openGraphs(in: $1, sealed: sealed) }
    for (_, subject) in opened { subject.make(values) }
    for work in Work.ofGraphs where works.contains(work) || work.isFirst {
      try perform(work, round, values.count, opened) { subject in
        switch work {
        case .saveGraph: try subject.save()
        case .fetchGraph: try subject.fetchAll()
        default: try subject.delete()
        }
      } verify: { subject in
        if work != .fetchGraph { try subject.fetchAll() }
        try expect(work == .deleteGraph ? Checksum() : all, subject.takeChecksum())
      }
    }
  }

  private func open<S>(
    _ directory: String,
    _ body: (Subject, String) throws -> S
  ) throws -> [(Subject, S)] {
    try subjects.map { subject in
      let own = "\(directory)/\(subject.rawValue)"
      try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
      return (subject, try body(subject, own))
    }
  }

  private mutating func perform<S>(
    _ work: Work,
    _ round: Int,
    _ operations: Int,
    _ opened: [(Subject, S)],
    _ body: (S) throws -> Void,
    verify: (S) throws -> Void
  ) throws {
    let turn = (round + (Work.allCases.firstIndex(of: work) ?? 0)) % opened.count
    for (kind, subject) in opened[turn...] + opened[..<turn] {
      do {
        let measurement = try Measurement(
          work,
          size: size,
          sealed: sealed,
          subject: kind,
          round: round,
          operations: operations,
          by: subject,
          body,
          verify: verify
        )
        if works.contains(work) { measurements.append(measurement) }
      } catch {
        throw RoundError(description: "\(kind.rawValue), \(work.rawValue): \(error)")
      }
    }
  }
}

/// What went wrong in a round, and where.
struct RoundError: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless a subject did the work that it should have done.
private func expect(_ expected: Checksum, _ found: Checksum) throws {
  if expected != found {
    throw RoundError(description: "expected \(expected), found \(found)")
  }
}
