import Foundation

/// All runs that were asked for.
struct Runs {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() throws {
    let folder = NSTemporaryDirectory() + "/nacre-faults-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for setting in Setting.all where invocation.names(setting) {
      let recording = try Recording(setting, in: folder + "/\(setting)/session")
      if invocation.kinds.contains("cut") { try cut(recording, folder + "/\(setting)") }
      if invocation.kinds.contains("fail") { try fail(recording, folder + "/\(setting)") }
    }
    if invocation.kinds.contains("files") { try files(folder + "/files") }
  }

  private func cut(_ recording: Recording, _ folder: String) throws {
    let start = ContinuousClock().now
    let run = CutRun(recording, in: folder)
    for seed in invocation.seeds { try run.cut(seed: UInt64(seed)) }
    say("\(recording.setting): the power was cut \(run.cuts) times, \(seconds(since: start))")
  }

  private func fail(_ recording: Recording, _ folder: String) throws {
    let start = ContinuousClock().now
    let run = try FailureRun(recording, FailingCalls.all.filter(invocation.names), in: folder)
    for index in stride(from: 0, to: run.failures.count, by: invocation.every) {
      try run.run(run.failures[index])
    }
    let total = run.counts.values.reduce(0, +)
    say(
      "\(recording.setting): \(total) calls failed, of \(run.failures.count), and with them "
        + "\(run.failedSteps) steps, \(seconds(since: start))",
      run.counts
    )
  }

  private func files(_ folder: String) throws {
    let settings = Setting.all.filter { $0.isSealed && invocation.names($0) }
    guard !settings.isEmpty else { return }
    let run = try FileRun(
      settings.map { try Recording($0, in: folder + "/\($0)") },
      in: folder
    )
    let start = ContinuousClock().now
    for seed in invocation.files { try run.run(seed: UInt64(seed)) }
    say(
      "\(invocation.files.count) changed files were opened, \(seconds(since: start))",
      invocation.isVerbose ? run.details : run.outcomes
    )
  }

  private func seconds(since start: ContinuousClock.Instant) -> String {
    "\(Int((ContinuousClock().now - start) / .seconds(1))) s"
  }

  /// Writes a line and counts below it, at once, because other runs write at the same time.
  private func say(_ line: String, _ counts: [String: Int] = [:]) {
    let lines = counts.sorted { $0.key < $1.key }.map { "  \($0.value) \($0.key)" }
    let text = ([line] + lines).map { $0 + "\n" }.joined()
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
