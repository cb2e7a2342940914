#if Tool
import Foundation

/// Asks before an action that can't be undone, or that moves data that others may miss.
struct Confirmation {
  /// The action, for the error if there is nobody to ask.
  let subject: String
  /// Whether `--yes` was given.
  let isGiven: Bool

  /// Checks whether there is somebody to ask.
  ///
  /// - Throws: `CommandFailure` without a terminal and without `--yes`.
  func check() throws {
    guard isGiven || isatty(STDIN_FILENO) != 0 else { throw nobody }
  }

  /// Asks, unless `--yes` was given.
  ///
  /// - Parameters:
  ///   - question: the prompt.
  ///   - otherwise: what to say about a wrong answer.
  ///   - isRight: whether an answer is the right one.
  /// - Throws: `CommandFailure` for a wrong answer, or without a terminal.
  func ask(_ question: String, otherwise: String, _ isRight: (String) -> Bool) throws {
    if isGiven { return }
    try Output.flush()
    try check()
    guard let answer = Terminal.ask(question) else { throw nobody }
    guard isRight(answer.trimmingCharacters(in: .whitespaces)) else {
      throw CommandFailure(.failure, otherwise + "; nothing was changed")
    }
  }

  /// Asks for a yes, unless `--yes` was given.
  ///
  /// - Parameter action: what the yes allows.
  /// - Throws: `CommandFailure` for another answer, or without a terminal.
  func askForYes(to action: String) throws {
    try ask("Type yes to \(action): ", otherwise: "the answer was not yes") { $0 == "yes" }
  }

  private var nobody: CommandFailure {
    CommandFailure(
      .usage,
      "there is no terminal to ask whether \(subject): give --yes; nothing was changed"
    )
  }
}
#endif
