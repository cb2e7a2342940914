import Foundation
import NacreOpen
import TestFaults

/// Cuts the power at many moments of one session.
final class CutRun {
  private let recording: Recording
  private let folder: String
  private(set) var cuts = 0
  private var setting: Setting { recording.setting }

  init(_ recording: Recording, in folder: String) {
    self.recording = recording
    self.folder = folder
  }

  /// Cuts the power once for a seed, which decides when, and what is left.
  func cut(seed: UInt64) throws {
    let moment = recording.moment(ofSeed: seed)
    let directory = folder + "/cut-\(seed)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try PowerCut(of: recording.history, after: moment, seed: seed).write(to: directory)
    let completed = recording.done.prefix { $0.ended <= moment }.count
    let current = recording.done.dropFirst(completed).first
    do {
      try look(directory, completed, current)
    } catch {
      let place = current.map { "\($0.step.name), \(moment) of \($0.begun) to \($0.ended)" }
      throw Deviation("\(setting), seed \(seed), at \(place ?? "the end"): \(error)")
    }
    cuts += 1
  }

  private func look(_ directory: String, _ completed: Int, _ current: Recording.Done?) throws {
    // Nothing has to wait for a real disk any more.
    let disk = try FaultyDisk(at: directory)
    defer { disk.disarm() }
    let session = try Session(setting, in: directory)
    try session.checkHeader()
    try StoreState.verify(session.store)
    let found = try StoreState(at: session.path)
    let possible = recording.states.prefix(completed + (current == nil ? 1 : 2))
    try judge(found, possible, completed)
    let hasCopy = recording.done.prefix(completed).contains { $0.step.makesCopy }
    guard !hasCopy || FileManager.default.fileExists(atPath: session.copyPath) else {
      throw Deviation("the backup is gone")
    }
    // Whatever came of the step, it can be done again, and the store goes on.
    if setting.isDurable, let current, found != current.state || current.step.hasParts {
      try current.step(session)
      let repeated = try StoreState(at: session.path)
      guard repeated == current.state else {
        throw Deviation("a repetition leaves \(repeated.difference(from: current.state))")
      }
    } else {
      try session.finishWork()
    }
    try session.goOn()
    _ = try StoreState(of: session.store)
  }

  /// Holds that a store is in one of the states in which it may be.
  private func judge(
    _ found: StoreState,
    _ states: ArraySlice<StoreState>,
    _ completed: Int
  ) throws {
    let last = states[completed...]
    let isRight =
      setting.isDurable
      ? last.contains(found)
      // Slots are in the header of a sealed file, which is always waited for.
      : setting.isSealed
        ? states.contains { $0.objects == found.objects }
          && last.contains { $0.slots == found.slots }
        : states.contains(found)
    guard isRight else {
      throw Deviation(
        "it has lost or kept too much: "
          + last.map { found.difference(from: $0) }.joined(separator: ", or ")
      )
    }
  }
}
