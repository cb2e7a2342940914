import Dispatch
import Synchronization

/// Work that another thread does meanwhile, if one is free before the caller needs it.
package final class AheadWork: Sendable {
  private let isBegun = Atomic(false)
  private let end = DispatchSemaphore(value: 0)
  private let body: @Sendable () -> Void

  /// Offers the work to another thread.
  package init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    DispatchQueue.global().async { _ = self.begin() }
  }

  /// Returns when the work is done; this thread does it if no other has begun it, so it waits for no free thread.
  package func finish() {
    if !begin() { end.wait() }
  }

  /// Does the work, unless somebody has begun it; returns whether it did.
  private func begin() -> Bool {
    if isBegun.exchange(true, ordering: .acquiringAndReleasing) { return false }
    body()
    end.signal()
    return true
  }
}
