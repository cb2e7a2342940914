import NacreCrypto
import Synchronization

/// The greatest numbers that an open store has seen in its file: the generation of the key ring,
/// and the counter of the anchor.
///
/// Both only grow. If a state is read after a number was seen, and its number is smaller, then
/// somebody restored that state; it is not one that is older because a reader holds it.
package final class SeenNumbers: Sendable {
  private let generation = Atomic<UInt64>(0)
  private let anchor = Atomic<UInt64>(0)

  /// Both numbers at one time.
  package struct Mark {
    /// The ring's generation; 0 if no ring was seen.
    var generation: UInt64 = 0
    /// The anchor's counter; 0 if no anchor was seen.
    package var anchor: UInt64 = 0

    package init(generation: UInt64 = 0, anchor: UInt64 = 0) {
      self.generation = generation
      self.anchor = anchor
    }
  }

  /// The numbers seen until now; no state of the file that is read from now on may be behind them.
  var mark: Mark {
    Mark(
      generation: generation.load(ordering: .acquiring),
      anchor: anchor.load(ordering: .acquiring)
    )
  }

  /// Notes the generation of a ring that was read from the file, or committed to it.
  package func note(generation seen: UInt64) {
    generation.max(seen, ordering: .acquiringAndReleasing)
  }

  /// Notes an anchor that was read from the file and verified, or committed to it.
  package func note(_ seen: Anchor) { anchor.max(seen.counter, ordering: .acquiringAndReleasing) }
}
