/// Waiters in the order of their coming.
struct PoolQueue {
  private(set) var waiters: [PoolWaiter] = []
  private var head = 0

  /// How many wait.
  var count: Int { waiters.count - head }

  /// Those who wait, in order.
  var waiting: ArraySlice<PoolWaiter> { waiters[head...] }

  mutating func append(_ waiter: PoolWaiter) {
    waiter.phase = .queued
    waiters.append(waiter)
  }

  /// The first waiter, marked as granted.
  mutating func popFirst() -> PoolWaiter? {
    // The common case by far: nobody waits.
    guard head < waiters.count else { return nil }
    let waiter = waiters[head]
    head += 1
    waiter.phase = .granted
    compact()
    return waiter
  }

  /// Takes a waiter out that has given up, so that nothing of it stays where nobody is ever granted anything.
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
