import ArgumentParser
import Foundation
import NacreCore

/// The command `nacre`.
@main
struct NacreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nacre",
    abstract: "Looks into Nacre stores.",
    discussion: ExitStatus.help,
    subcommands: [Inspect.self]
  )

  /// Takes the place of the parser's own `main`, which knows other exit statuses and longer messages.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
      // What was printed may still have to be written, to a disk that may be full.
      guard fflush(nil) == 0 else {
        throw CommandFailure(status: .failure, message: "the output can't be written")
      }
    } catch {
      Foundation.exit(report(error).code)
    }
  }

  /// Says in one line on standard error what went wrong; help, which the parser also throws, goes to standard output.
  private static func report(_ error: any Error) -> ExitStatus {
    switch error {
    case let error as NacreError:
      complain(error.description)
      return .of(error.code)
    case let failure as CommandFailure:
      complain(failure.message)
      return failure.status
    case _ where exitCode(for: error).isSuccess:
      print(fullMessage(for: error))
      return .success
    case _ where exitCode(for: error) == .validationFailure:
      complain(sentence(message(for: error)) + " See 'nacre --help'.")
      return .usage
    default:
      complain(message(for: error))
      return .failure
    }
  }

  private static func sentence(_ text: String) -> String {
    text.hasSuffix(".") ? text : text + "."
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data("nacre: \(message.visible)\n".utf8))
  }
}
