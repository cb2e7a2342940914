import Synchronization

/// A counter that threads share.
final class SharedCount: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  @discardableResult
  func add(_ amount: Int) -> Int {
    count.add(amount, ordering: .sequentiallyConsistent).newValue
  }
}
