#if PostgreSQL
import Foundation
import Testing

/// A program that may leave another one behind, such as a server.
///
/// Foundation's `Process` would wait for that one, too: it hears of the end by a descriptor that both inherit.
enum Spawned {
  /// Runs a program to its end, without a shell.
  ///
  /// - Parameters:
  ///   - words: The path of the program, and its arguments.
  ///   - file: A new file for what it writes.
  /// - Returns: Its exit status, and what it has written to both of its streams.
  /// - Throws: An error if it can't be started.
  static func run(_ words: [String], writingTo file: String) throws -> (status: Int32, text: String)
  {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, file, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    try #require(posix_spawn(&process, words[0], &actions, nil, arguments, [nil]) == 0)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { try #require(errno == EINTR) }
    let text = try String(contentsOfFile: file, encoding: .utf8)
    // The exit status is in the second byte; the first is that of a signal.
    return (status & 0x7f == 0 ? status >> 8 & 0xff : -1, text)
  }
}
#endif
