import Foundation
import NacreOpen
import NacreStore
import TestFaults

/// Does each step of a session again and again, and lets another call of it fail each time.
///
/// The step that failed has done nothing, or its error says that it may have. On a disk that is mended the
/// session does it again, goes on, and leaves a store that is whole.
final class FailureRun {
  /// One call of one step that is to fail.
  struct Failure {
    let index: Int
    let kind: FailingCalls
    let number: Int
  }

  private let recording: Recording
  private let folder: String
  private var setting: Setting { recording.setting }
  /// What there is to fail.
  private(set) var failures: [Failure] = []
  /// How many calls failed, by kind.
  private(set) var counts: [String: Int] = [:]
  /// How many of them failed a step.
  private(set) var failedSteps = 0

  init(_ recording: Recording, _ kinds: [FailingCalls], in folder: String) throws {
    self.recording = recording
    self.folder = folder
    for (index, done) in recording.done.enumerated() {
      let calls = try counting(done)
      for kind in kinds {
        failures += stride(from: 0, to: calls(kind.calls), by: kind.stride)
          .map { Failure(index: index, kind: kind, number: $0) }
      }
    }
  }

  /// Lets one call fail.
  func run(_ failure: Failure) throws {
    let done = recording.done[failure.index]
    do {
      try run(failure, of: done, from: recording.states[failure.index])
    } catch {
      throw Deviation("\(setting), \(done.step.name), \(failure.kind) \(failure.number): \(error)")
    }
  }

  /// Opens the store as it was before a step.
  private func begin<T>(_ done: Recording.Done, _ body: (Session, FaultyDisk) throws -> T) throws
    -> T
  {
    let directory = folder + "/step"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try recording.files(done.begun).write(to: directory)
    let disk = try FaultyDisk(at: directory, takesTemporaryFiles: true)
    return try body(Session(setting, in: directory), disk)
  }

  /// Does a step without failures, and counts its calls.
  private func counting(_ done: Recording.Done) throws -> (Set<DiskFault.Call>) -> Int {
    try begin(done) { session, disk in
      let kinds = DiskFault.Call.allCases
      let before = kinds.map { disk.count(of: [$0]) }
      try done.step(session)
      let after = kinds.map { disk.count(of: [$0]) }
      try session.store.close()
      return { calls in
        kinds.indices.reduce(0) { $0 + (calls.contains(kinds[$1]) ? after[$1] - before[$1] : 0) }
      }
    }
  }

  private func run(_ failure: Failure, of done: Recording.Done, from state: StoreState) throws {
    try begin(done) { session, disk in
      disk.arm(failure.kind.fault(failure.number))
      let result = Result { try done.step(session) }
      let wasHit = disk.disarm() != nil
      if wasHit {
        counts[failure.kind.description, default: 0] += 1
        // A step that succeeds can have left something, too, as a rewrap that the next opening finishes.
        try session.rollBackLeftovers()
      }
      if case .failure(let error) = result {
        guard wasHit else { throw error }
        failedSteps += 1
        let found = try StoreState(at: session.path)
        let code = (error as? NacreError)?.code
        let mayHaveChanged = code == .headerChangeUnfinished || code == .commitUnknown
        guard found == state || mayHaveChanged && found == done.state else {
          throw Deviation("it failed with \(error), and left \(found.difference(from: state))")
        }
        // Who is told that it may be stored looks before trying again.
        if found == state || done.step.hasParts { try done.step(session) }
      }
      let found = try StoreState(at: session.path)
      guard found == done.state else {
        throw Deviation("when it is done it leaves \(found.difference(from: done.state))")
      }
      try session.goOn()
      try session.store.close()
      try look(at: session, done.state)
    }
  }

  private func look(at session: Session, _ state: StoreState) throws {
    let store = try Session.open(setting, in: session.directory)
    try session.checkHeader()
    guard try StoreState(of: store) == state else {
      throw Deviation("the store is another when it is opened again")
    }
  }
}
