import Foundation
import NacreOpen
import TestFaults

/// One session as it reached the disk, with what the store held after each step.
final class Recording {
  struct Done {
    let step: Step
    /// How many changes of the disk there were before and after.
    let begun: Int
    let ended: Int
    let state: StoreState
  }

  let setting: Setting
  let beginning: StoreState
  let history: [DiskChange]
  let done: [Done]
  /// The number of files that were there before the first change.
  let foundCount: Int

  init(_ setting: Setting, in directory: String) throws {
    self.setting = setting
    try Session.make(setting, in: directory)
    beginning = try StoreState(at: Session.path(in: directory))
    let disk = try FaultyDisk(at: directory)
    foundCount = disk.changeCount
    let session = try Session(setting, in: directory)
    done = try Step.all(setting).map { step in
      let begun = disk.changeCount
      try step(session)
      let ended = disk.changeCount
      return Done(
        step: step,
        begun: begun,
        ended: ended,
        state: try StoreState(at: session.path)
      )
    }
    try session.store.close()
    history = disk.history
  }

  /// The states in which the store was, from its beginning on.
  var states: [StoreState] { [beginning] + done.map(\.state) }

  /// The files as they were after a number of changes.
  func files(_ moment: Int) -> PowerCut { PowerCut(of: history, after: moment, seed: nil) }

  /// The moment of a seed: how many changes came before.
  ///
  /// Seeds that follow each other lie evenly over the session (Knuth, The Art of Computer Programming,
  /// section 6.4), so as many seeds as there are changes come close to each of them.
  func moment(ofSeed seed: UInt64) -> Int {
    let count = UInt64(history.count - foundCount + 1)
    let place = (seed &* 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: count).high
    return foundCount + Int(place)
  }

  /// Draws a moment of the session: how many changes came before.
  func moment(_ generator: inout SeededGenerator) -> Int {
    Int.random(in: foundCount...history.count, using: &generator)
  }
}
