import Synchronization

/// An inbox that collects in one piece what an observer has not taken yet.
///
/// It grows with the number of changed objects, not with time.
final class Inbox<Content: Sendable>: Sendable {
  private struct State {
    var content: Content?
    var isEnded = false
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var lastTicket: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Changes the content that waits for the observer.
  ///
  /// - Returns: The waiters to wake once the caller holds no lock.
  func update(_ body: (inout Content?) -> Void) -> Wakeup {
    state.withLock { state in
      if state.isEnded { return Wakeup() }
      body(&state.content)
      return state.content == nil ? Wakeup() : Self.takeWaiters(&state)
    }
  }

  /// Ends the inbox: everybody who waits now or asks later gets nil.
  func end() {
    state.withLock { state in
      state.isEnded = true
      state.content = nil
      return Self.takeWaiters(&state)
    }
    .resume()
  }

  /// Returns the content that has arrived since the last call, as soon as there is any; nil once
  /// the inbox has ended.
  func next() async -> Content? {
    while true {
      let (content, isEnded) = state.withLock { state in
        defer { state.content = nil }
        return (state.content, state.isEnded)
      }
      if let content { return content }
      if isEnded { return nil }
      await arrival()
    }
  }

  /// Waits until there is something to take, or the inbox ends.
  ///
  /// The wait has no time limit, because observers wait for as long as nothing happens. Cancelling
  /// the task or closing the store ends the inbox.
  private func arrival() async {
    await withCheckedContinuation { continuation in
      let isHere = state.withLock { state in
        if state.content != nil || state.isEnded { return true }
        state.lastTicket += 1
        state.waiters[state.lastTicket] = continuation
        return false
      }
      if isHere { continuation.resume() }
    }
  }

  private static func takeWaiters(_ state: inout State) -> Wakeup {
    defer { state.waiters.removeAll() }
    return Wakeup(waiters: Array(state.waiters.values))
  }
}

/// Tasks to resume outside of every lock, because an executor may run them immediately.
struct Wakeup: Sendable {
  var waiters: [CheckedContinuation<Void, Never>] = []

  func resume() {
    for waiter in waiters { waiter.resume() }
  }

  static func += (left: inout Wakeup, right: Wakeup) { left.waiters += right.waiters }
}

/// An observer's registration with its store.
///
/// It ends with its last reference, when the store closes, or when the observer's task is
/// cancelled.
final class Subscription<Content: Sendable>: Sendable {
  let inbox = Inbox<Content>()
  private let leave = Mutex<(@Sendable () -> Void)?>(nil)
  private let settle: (@Sendable () async -> Void)?

  /// Makes a registration.
  ///
  /// - Parameter settle: waits until the observer has been told of what was committed before; nil if it is told at once.
  init(settling settle: (@Sendable () async -> Void)?) { self.settle = settle }

  /// Sets the closure that ends the registration.
  func onEnd(_ leave: @escaping @Sendable () -> Void) {
    self.leave.withLock { $0 = leave }
  }

  deinit { end() }

  /// Ends the registration; ending twice does nothing.
  func end() {
    inbox.end()
    let leave = leave.withLock { leave in
      defer { leave = nil }
      return leave
    }
    leave?()
  }

  /// Returns the content that has arrived since the last call; nil after the end, or if the task is
  /// cancelled.
  func next() async -> Content? {
    await withTaskCancellationHandler {
      if Task.isCancelled { return nil }
      await settle?()
      return await inbox.next()
    } onCancel: {
      end()
    }
  }
}
