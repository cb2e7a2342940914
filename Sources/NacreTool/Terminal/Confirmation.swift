import Foundation

/// Asks before what can't be undone, or moves what others may miss.
struct Confirmation {
  /// What is to be done, for when there is nobody to ask.
  let subject: String
  /// Whether `--yes` was given.
  let isGiven: Bool

  /// Looks whether there is somebody to ask.
  ///
  /// - Throws: `CommandFailure` without a terminal and without `--yes`.
  func check() throws {
    guard isGiven || isatty(STDIN_FILENO) != 0 else { throw nobody }
  }

  /// Asks, unless `--yes` was given.
  ///
  /// - Parameters:
  ///   - question: what to print before.
  ///   - otherwise: what another answer is than the one that is asked for.
  ///   - isRight: whether an answer is that one.
  /// - Throws: `CommandFailure` for another answer, or without a terminal.
  func ask(_ question: String, otherwise: String, _ isRight: (String) -> Bool) throws {
    if isGiven { return }
    try Output.flush()
    try check()
    guard let answer = Terminal.ask(question) else { throw nobody }
    guard isRight(answer.trimmingCharacters(in: .whitespaces)) else {
      throw CommandFailure(status: .failure, message: otherwise + "; nothing was changed")
    }
  }

  private var nobody: CommandFailure {
    CommandFailure(
      status: .usage,
      message: "there is no terminal to ask on whether \(subject): say --yes; nothing was changed"
    )
  }
}
