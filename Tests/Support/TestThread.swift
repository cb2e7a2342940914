import Foundation

/// Runs a closure on a thread of its own, to whose end `wait` waits.
public final class TestThread: Sendable {
  private let done = DispatchSemaphore(value: 0)

  /// Starts the thread.
  @discardableResult
  public init(_ body: @escaping @Sendable () -> Void) {
    let done = done
    Thread.detachNewThread {
      body()
      done.signal()
    }
  }

  /// Blocks the calling thread until the closure has returned.
  public func wait() { done.wait() }
}

/// Gives the processor away until the condition holds.
public func spin(until condition: () throws -> Bool) rethrows {
  while try !condition() { sched_yield() }
}
