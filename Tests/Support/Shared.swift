import Synchronization

/// A value that threads and tasks share.
final class Shared<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  func withLock<T: Sendable>(_ body: (inout Value) -> T) -> T {
    value.withLock { body(&$0) }
  }
}
