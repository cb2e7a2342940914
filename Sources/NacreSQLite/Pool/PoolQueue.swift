/// Waiters in the order of their coming.
///
/// Cancelled ones stay until their turn and are skipped.
struct PoolQueue {
  private var waiters: [PoolWaiter] = []
  private var head = 0

  /// How many wait.
  var count: Int { waiters[head...].count { $0.phase == .queued } }

  mutating func append(_ waiter: PoolWaiter) {
    waiter.phase = .queued
    waiters.append(waiter)
  }

  /// The first waiter that still waits, marked as granted.
  mutating func popFirst() -> PoolWaiter? {
    while head < waiters.count {
      let waiter = waiters[head]
      head += 1
      guard waiter.phase == .queued else { continue }
      waiter.phase = .granted
      compact()
      return waiter
    }
    // The common case by far: nobody waits, and there is nothing to tidy.
    if head > 0 { compact() }
    return nil
  }

  private mutating func compact() {
    if head == waiters.count {
      waiters.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 64 && head * 2 > waiters.count {
      waiters.removeFirst(head)
      head = 0
    }
  }
}
