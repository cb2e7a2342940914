#if Tool
import Foundation

/// The stream that a command's lines go to.
enum Output {
  /// Standard output, for the results.
  case standard
  /// Standard error, for messages while standard output is data for another program.
  case error

  func show(_ lines: [String]) {
    for line in lines { show(line) }
  }

  func show(_ line: String) {
    switch self {
    case .standard: print(line)
    case .error: Output.writeError(line + "\n")
    }
  }

  /// Writes to standard error at once; ignores failures, because somebody may have closed it.
  static func writeError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Flushes the output, so that a reader gets it at once.
  ///
  /// - Throws: `CommandFailure` if it can't be written, for example on a full disk.
  static func flush() throws {
    guard fflush(nil) == 0 else {
      throw CommandFailure(.failure, "the output can't be written")
    }
  }
}
#endif
