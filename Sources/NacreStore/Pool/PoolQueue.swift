/// Waiters in the order in which they came.
struct PoolQueue {
  private(set) var waiters: [PoolWaiter] = []
  private var head = 0

  /// The number of waiters.
  var count: Int { waiters.count - head }

  /// The waiters, in order.
  var waiting: ArraySlice<PoolWaiter> { waiters[head...] }

  mutating func append(_ waiter: PoolWaiter) {
    waiter.phase = .queued
    waiters.append(waiter)
  }

  /// Removes the first waiter, marks it as granted and returns it.
  mutating func popFirst() -> PoolWaiter? {
    // In by far the most cases nobody waits.
    guard head < waiters.count else { return nil }
    let waiter = waiters[head]
    head += 1
    waiter.phase = .granted
    compact()
    return waiter
  }

  /// Removes a waiter that has given up; otherwise it would stay in memory in a lane that never grants anything again.
  mutating func remove(_ waiter: PoolWaiter) {
    guard let index = waiters[head...].firstIndex(where: { $0 === waiter }) else { return }
    waiters.remove(at: index)
    compact()
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
