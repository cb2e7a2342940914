import Foundation
import Synchronization

/// What a program that goes on until it is stopped says and is told: each line on its standard input is answered with
/// its counters so far; the input's end, or SIGTERM, stops it.
final class Conversation: Sendable {
  private static let isTerminated = Atomic(false)
  private let isEnded = Atomic(false)

  var isStopped: Bool {
    isEnded.load(ordering: .relaxed) || Conversation.isTerminated.load(ordering: .relaxed)
  }

  /// Begins to listen; `answer` is called on another thread.
  init(_ answer: @escaping @Sendable () -> any Encodable) {
    signal(SIGTERM) { _ in Conversation.isTerminated.store(true, ordering: .relaxed) }
    Thread.detachNewThread { [self] in
      while readLine() != nil { try? report(answer()) }
      isEnded.store(true, ordering: .relaxed)
    }
  }
}

/// Writes one line of JSON to standard output, at once.
func report(_ value: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  FileHandle.standardOutput.write(try encoder.encode(value) + Data("\n".utf8))
}

/// A counter that one thread changes and another one reads.
final class Counter: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }

  func add(_ count: Int = 1) { number.add(count, ordering: .relaxed) }

  func raise(to value: Int) { number.max(value, ordering: .relaxed) }

  /// The number, which begins anew at 0.
  func take() -> Int { number.exchange(0, ordering: .relaxed) }
}
