import Foundation
import NacreEngine
import NacreStore

/// A rotation that waits in slices, after each of which its progress can stop it.
protocol PacedRotation: AnyObject {
  var store: Store { get }
  var options: RotationOptions { get }
  /// Tells the caller how far the rotation is; says whether it goes on.
  func report() -> RotationDirective
}

/// The reason why a rotation could not empty the log.
enum LogObstacle {
  /// A reader still holds an old state of the store.
  case reader
  /// The rotation was asked to stop.
  case stop
}

extension PacedRotation {
  /// Waits in slices; the progress can stop it after each.
  func wait(until due: ContinuousClock.Instant) -> RotationDirective {
    while ContinuousClock.now < due {
      let left = (due - .now) / .seconds(1)
      Thread.sleep(forTimeInterval: min(max(left, 0.001), 0.1))
      guard report() == .goOn else { return .stop }
    }
    return .goOn
  }

  /// Moves the whole log into the file and truncates it to nothing.
  ///
  /// Both rotations rely on this invariant: after a success, no reader of any process is in a state of the store from
  /// before the last pass. A checkpoint that truncates the log waits until every frame is in the file and every reader
  /// reads from the file alone. A reader of an older state needs the log, or prevents the checkpoint from moving frames
  /// over the pages that it reads (sqlite.org/c3ref/wal_checkpoint_v2.html). A server is asked for such readers instead.
  ///
  /// - Returns: nil if it succeeded; otherwise the obstacle, for readers once the options' time is up.
  /// - Throws: ``NacreError``.
  func emptyLog() throws -> LogObstacle? {
    let due = ContinuousClock.now + Duration(clamping: options.readerTimeout)
    var pause = Duration.milliseconds(1)
    let state = try store.stateNumber()
    while true {
      if try store.tryToEmptyLog(before: state) { return nil }
      if ContinuousClock.now >= due { return .reader }
      // Meanwhile, the writers' lane and the writers' lock are free.
      guard wait(until: min(.now + pause, due)) == .goOn else { return .stop }
      pause = min(pause * 2, .milliseconds(100))
    }
  }
}
