#if Tool
/// A failure of the command itself, for example because there is no terminal to ask on.
struct CommandFailure: Error {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// The failure of a command whose new file exists already.
  static func exists(_ path: String, _ advice: String? = nil) -> CommandFailure {
    let message = "\(path) exists already and is never overwritten; nothing was changed"
    return CommandFailure(.exists, advice.map { "\(message); \($0)" } ?? message)
  }
}
#endif
