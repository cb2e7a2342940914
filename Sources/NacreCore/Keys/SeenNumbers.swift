import NacreCrypto
import Synchronization

/// The greatest number of an anchor that an open store has seen in its file.
///
/// It only grows. A state of the file that is read after one was seen and has a lesser one is a state that somebody has
/// put back, and not one that is older because a reader holds it.
final class SeenNumbers: Sendable {
  private let anchor = Atomic<UInt64>(0)

  /// What was seen at one time.
  struct Mark {
    /// The anchor's counter; 0 where no anchor was seen.
    var anchor: UInt64 = 0
  }

  /// What was seen until now, which no state of the file that is read from now on may be behind.
  var mark: Mark { Mark(anchor: anchor.load(ordering: .acquiring)) }

  /// Notes an anchor that was read from the file and verified, or committed to it.
  func note(_ seen: Anchor) { anchor.max(seen.counter, ordering: .acquiringAndReleasing) }
}
