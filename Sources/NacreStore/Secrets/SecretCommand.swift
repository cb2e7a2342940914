import Foundation
import NacreCrypto
import NacreEngine

/// Runs a command and takes 64 hex digits from its standard output, without a copy in a string.
enum SecretCommand {
  /// How long the store waits for a command, which may ask a person.
  static let patience = Duration.seconds(300)

  /// Runs a command in `/bin/sh`.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - patience: How long to wait. After that the command keeps running, but nobody reads its
  ///     output.
  /// - Returns: The secret that the command prints.
  /// - Throws: `badSecret`.
  static func run(_ command: String, patience: Duration = patience) throws -> SecretBytes {
    guard let pipe = popen(command, "r") else {
      throw NacreError(.badSecret, detail: "the key command can't be run: \(lastSystemError())")
    }
    let due = ContinuousClock.now + patience
    return try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      defer { SecureMemory.cleanse(buffer) }
      let count = read(fileno(pipe), into: buffer, until: due)
      guard let status = end(pipe, until: due), let count else {
        let seconds = patience / .seconds(1)
        throw NacreError(.badSecret, detail: "the key command has not ended after \(seconds) s")
      }
      guard status == 0 else {
        throw NacreError(.badSecret, detail: "the key command failed with status \(status >> 8)")
      }
      let output = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
      return try HexSecret.decode(output, source: "the key command's output")
    }
  }

  /// Reads until the end or until the buffer is full; returns nil if the time is up first.
  ///
  /// It does not use stdio's buffer, because nobody would cleanse that.
  private static func read(
    _ descriptor: Int32,
    into buffer: UnsafeMutableRawBufferPointer,
    until due: ContinuousClock.Instant
  ) -> Int? {
    var count = 0
    while count < buffer.count {
      let left = max(due - .now, .zero) / .milliseconds(1)
      guard left > 0 else { return nil }
      var readiness = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&readiness, 1, Int32(min(left.rounded(.up), 60_000))) > 0 else { continue }
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let found = Foundation.read(descriptor, rest.baseAddress, rest.count)
      if found < 0 && errno == EINTR { continue }
      guard found > 0 else { break }
      count += found
    }
    return count
  }

  /// Waits for the command's end and returns its status, or nil if the time is up first.
  private static func end(
    _ pipe: UnsafeMutablePointer<FILE>,
    until due: ContinuousClock.Instant
  ) -> Int32? {
    let ending = Ending(pipe)
    // `pclose` waits for as long as the command runs, so it blocks a thread of its own.
    Thread.detachNewThread { ending.wait() }
    return ending.status(until: due)
  }

  /// The end of a command, for which a separate thread waits.
  private final class Ending: @unchecked Sendable {
    // Sendable holds: one thread uses the pipe, and the status is read only after the semaphore
    // signals that it is written.
    private let pipe: UnsafeMutablePointer<FILE>
    private let semaphore = DispatchSemaphore(value: 0)
    private var status: Int32 = -1

    init(_ pipe: UnsafeMutablePointer<FILE>) { self.pipe = pipe }

    func wait() {
      status = pclose(pipe)
      semaphore.signal()
    }

    func status(until due: ContinuousClock.Instant) -> Int32? {
      let left = max(due - .now, .zero) / .seconds(1)
      return semaphore.wait(timeout: .now() + left) == .success ? status : nil
    }
  }
}
