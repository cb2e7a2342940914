import Foundation
import NacreCore
import Synchronization

/// A thread that reads objects of a store and one that changes them, without a pause, until they are told to stop.
final class Company: Sendable {
  private struct State {
    var isOver = false
    var failure: (any Error)?
  }

  private let state = Mutex(State())
  private let ended = DispatchSemaphore(value: 0)

  /// Does something in the company of both.
  ///
  /// - Throws: The error of `body`, or the first one of the company.
  static func beside<T>(_ store: Store, _ ids: [UUID], _ body: () throws -> T) throws -> T {
    let company = Company()
    company.go(on: ids) { id in _ = try store.read { _ in try Sample.fetch(id: id) } }
    company.go(on: ids) { id in
      try store.write { _ in
        guard let sample = try Sample.fetch(id: id) else { return }
        sample.power += 1
        try sample.save()
      }
    }
    let result = Result { try body() }
    if let failure = company.stop() { throw failure }
    return try result.get()
  }

  private func go(on ids: [UUID], _ body: @escaping @Sendable (UUID) throws -> Void) {
    Thread.detachNewThread { [self] in
      var random = SeededGenerator(seed: 7)
      while !state.withLock({ $0.isOver }), let id = ids.randomElement(using: &random) {
        do {
          try body(id)
        } catch {
          state.withLock { $0.failure = $0.failure ?? error }
          break
        }
      }
      ended.signal()
    }
  }

  /// Ends both threads; returns what went wrong in one.
  private func stop() -> (any Error)? {
    state.withLock { $0.isOver = true }
    for _ in 0..<2 { ended.wait() }
    return state.withLock { $0.failure }
  }
}
