import Foundation

/// Runs a closure `count` times, each on a thread of its own, and waits for all of them.
///
/// All of them run at once, so one may wait for another. `DispatchQueue.concurrentPerform` uses
/// only as many threads as there are cores.
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
