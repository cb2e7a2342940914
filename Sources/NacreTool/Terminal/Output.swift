import Foundation

/// Where a command's lines go.
enum Output {
  /// What was asked for.
  case standard
  /// What is said besides, when the standard output is data for another program.
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

  /// Writes to standard error at once; somebody may have closed it.
  static func writeError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Hands on what was printed so far, to whoever reads it as it comes.
  ///
  /// - Throws: `CommandFailure` when it can't be written, as on a full disk.
  static func flush() throws {
    guard fflush(nil) == 0 else {
      throw CommandFailure(status: .failure, message: "the output can't be written")
    }
  }
}
