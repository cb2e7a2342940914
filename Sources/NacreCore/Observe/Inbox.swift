import Synchronization

/// What one observer has not taken yet, put together into one piece: it grows with what has changed, not with time.
final class Inbox<Content: Sendable>: Sendable {
  private struct State {
    var content: Content?
    var isEnded = false
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var lastTicket: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Changes what waits to be taken.
  ///
  /// - Returns: who has to be woken, once the caller holds no lock.
  func update(_ body: (inout Content?) -> Void) -> Wakeup {
    state.withLock { state in
      if state.isEnded { return Wakeup() }
      body(&state.content)
      return state.content == nil ? Wakeup() : Self.takeWaiters(&state)
    }
  }

  /// Lets everybody who waits go with nothing, and all who come later.
  func end() {
    state.withLock { state in
      state.isEnded = true
      state.content = nil
      return Self.takeWaiters(&state)
    }
    .resume()
  }

  /// What has come since the last call, as soon as there is something; nil once it is ended.
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

  /// Waits until there is something to take, or the end: without a bound, for that is what an observer does.
  ///
  /// Cancelling the task and closing the store are ends.
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

/// Tasks to resume, outside of every lock: an executor may run them on the spot.
struct Wakeup: Sendable {
  var waiters: [CheckedContinuation<Void, Never>] = []

  func resume() {
    for waiter in waiters { waiter.resume() }
  }

  static func += (left: inout Wakeup, right: Wakeup) { left.waiters += right.waiters }
}

/// An observer's place in its store, given up with its last reference, at the end of the store, or when its task is cancelled.
final class Subscription<Content: Sendable>: Sendable {
  let inbox = Inbox<Content>()
  private let leave = Mutex<(@Sendable () -> Void)?>(nil)

  /// Says how the place is given up.
  func onEnd(_ leave: @escaping @Sendable () -> Void) {
    self.leave.withLock { $0 = leave }
  }

  deinit { end() }

  /// Gives the place up; ending twice is nothing.
  func end() {
    inbox.end()
    let leave = leave.withLock { leave in
      defer { leave = nil }
      return leave
    }
    leave?()
  }

  /// What has come since the last call; nil at the end, which cancelling the task is.
  func next() async -> Content? {
    await withTaskCancellationHandler {
      if Task.isCancelled { return nil }
      return await inbox.next()
    } onCancel: {
      end()
    }
  }
}
