/// A failure of the command itself, for example because there is no terminal to ask on.
struct CommandFailure: Error {
  let status: ExitStatus
  let message: String

  /// The failure of a command whose new file exists already.
  static func exists(_ path: String) -> CommandFailure {
    CommandFailure(
      status: .exists,
      message: "\(path) exists already and is never overwritten; nothing was changed"
    )
  }
}
