import Foundation

/// Runs `body` on a thread of its own.
///
/// - Returns: what waits for its end and gives whether that came; a thread that never ends is left.
func onOwnThread(_ body: @escaping @Sendable () -> Void) -> () -> Bool {
  let end = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    end.signal()
  }
  return { end.wait(timeout: .now() + 30) == .success }
}
