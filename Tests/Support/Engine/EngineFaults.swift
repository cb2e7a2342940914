import Foundation
import Synchronization
package import NacreEngine

/// What the tests' engine does to the calls that reach it: one of them fails or waits.
package final class EngineFaults: Sendable {
  /// What happens at a call.
  package enum Fault: Sendable {
    /// The call fails before the engine does anything.
    case failure(EngineErrorKind)
    /// The call waits until the gate is opened, and goes on then.
    case delay(Gate)
  }

  private struct State {
    var fault: Fault?
    /// How many calls still pass before the one at which the fault happens.
    var remaining = 0
    /// Whether the fault happens at every chosen call from then on.
    var lasts = false
    var isChosen: @Sendable (EngineCall) -> Bool = { _ in true }
    var count = 0
    var hit: EngineCall?
  }

  /// Whether a failed statement aborts its transaction, as on PostgreSQL: every later call fails
  /// until the caller rolls back.
  package let abortsTransactions: Bool
  private let state = Mutex(State())

  package init(abortsTransactions: Bool = false) { self.abortsTransactions = abortsTransactions }

  /// Lets the fault happen at a call that comes from now on.
  ///
  /// - Parameters:
  ///   - fault: What happens.
  ///   - number: How many chosen calls pass before.
  ///   - lasts: Whether it happens at every chosen call after that one, too.
  ///   - isChosen: Which calls are counted.
  package func arm(
    _ fault: Fault,
    after number: Int,
    lasts: Bool = false,
    where isChosen: @escaping @Sendable (EngineCall) -> Bool = { _ in true }
  ) {
    state.withLock {
      $0 = State(fault: fault, remaining: number, lasts: lasts, isChosen: isChosen)
    }
  }

  /// Lets all calls pass from now on.
  ///
  /// - Returns: The call at which the fault happened; nil if it did not happen.
  @discardableResult
  package func disarm() -> EngineCall? {
    state.withLock { state in
      defer { state = State() }
      return state.hit
    }
  }

  /// Notes a call, and fails or waits if the fault happens at it.
  func pass(_ call: EngineCall) throws {
    let fault = state.withLock { state -> Fault? in
      guard let fault = state.fault, state.lasts || state.hit == nil,
        state.isChosen(call)
      else { return nil }
      guard state.remaining == 0 else {
        state.remaining -= 1
        return nil
      }
      state.hit = call
      return fault
    }
    switch fault {
    case nil: return
    case .failure(let kind): throw InducedError(kind: kind, call: call)
    case .delay(let gate): try gate.wait(at: call)
    }
  }
}

/// A call that reaches an engine.
package enum EngineCall: Sendable, Equatable {
  case connect
  case prepare(String)
  case execute(String)
  case run(String)
  case step(String)
  case bind(String)
  case begin(TransactionKind)
  case commit
  case rollback
  case savepoint
  case release
  case rollbackToSavepoint
}

/// The error of a call that the test let fail.
package struct InducedError: EngineError, Equatable {
  package let kind: EngineErrorKind
  package let call: EngineCall

  package var message: String { "the test let this call fail" }
  package var violation: ConstraintViolation? {
    kind == .constraint ? ConstraintViolation(kind: .other) : nil
  }
  package var dependent: String? { nil }
  package func isMissing(table: String) -> Bool { false }
  package func withoutTexts() -> any EngineError { self }
}

/// Holds one call until the test lets it go on.
package final class Gate: Sendable {
  private let reached = DispatchSemaphore(value: 0)
  private let opened = DispatchSemaphore(value: 0)

  package init() {}

  /// Waits until the call is held.
  ///
  /// - Returns: False if it does not come within ten seconds.
  package func waitUntilReached() -> Bool { reached.wait(timeout: .now() + 10) == .success }

  /// Lets the call go on.
  package func open() { opened.signal() }

  func wait(at call: EngineCall) throws {
    reached.signal()
    guard opened.wait(timeout: .now() + 10) == .success else {
      throw InducedError(kind: .other, call: call)
    }
  }
}
