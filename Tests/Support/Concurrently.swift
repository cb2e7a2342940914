import Foundation

/// Runs a closure so many times, each on a thread of its own, and waits for all of them.
///
/// Unlike `DispatchQueue.concurrentPerform`, which uses as many threads as there are cores, all of them run at once: one may
/// wait for another.
public func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    Thread.detachNewThread {
      body(number)
      group.leave()
    }
  }
  group.wait()
}
