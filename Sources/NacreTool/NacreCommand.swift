#if Tool
import ArgumentParser
import Foundation
import NacreStore

/// The command `nacre`.
@main
struct NacreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nacre",
    abstract: "Looks after Nacre stores: who unlocks them, and the keys that seal their values.",
    discussion: Guidance.text + "\n\n" + ExitStatus.help,
    version: Version.number,
    groupedSubcommands: [
      CommandGroup(
        name: "Stores",
        subcommands: [
          Init.self, Status.self, Inspect.self, Verify.self, Check.self, Catalog.self,
          AnchorCommand.self,
        ]
      ),
      CommandGroup(
        name: "Keys",
        subcommands: [SlotCommand.self, Rewrap.self, Rotate.self, KeyCommand.self]
      ),
      CommandGroup(name: "Values", subcommands: [Migrate.self, Convert.self]),
      CommandGroup(
        name: "Copies",
        subcommands: [
          Backup.self, HeaderCommand.self, Export.self, Import.self, Adopt.self,
        ]
      ),
    ]
  )

  /// Replaces the parser's own `main`, which has other exit statuses and longer messages.
  static func main() {
    // Keep the process's memory from core dumps, before any key is in it.
    if !ProcessMemory.hide() {
      Output.writeError("nacre: the system can't keep this process's memory out of core dumps\n")
    }
    do {
      try ServerURLs.refusePasswords(in: CommandLine.arguments)
      var command = try parseAsRoot()
      try command.run()
      // The output may still be buffered, and the disk may be full.
      try Output.flush()
    } catch {
      Foundation.exit(report(error).code)
    }
  }

  /// Reports an error in one line on standard error, and as the last event to a program that reads JSON; help, which
  /// the parser also throws, goes to standard output.
  private static func report(_ error: any Error) -> ExitStatus {
    switch error {
    case let error as NacreError:
      let message = Guidance.description(of: error)
      return complain(message, .of(error.code), code: error.code.description)
    case let failure as CommandFailure:
      return complain(failure.message, failure.status)
    case _ where exitCode(for: error).isSuccess:
      print(fullMessage(for: error))
      return .success
    case _ where exitCode(for: error) == .validationFailure:
      return complain(sentence(message(for: error)) + " See '\(help(for: error))'.", .usage)
    default:
      return complain(message(for: error), .failure)
    }
  }

  /// The command line that shows the help of the subcommand that failed.
  private static func help(for error: any Error) -> String {
    let hint = fullMessage(for: error).firstMatch(of: /See '(nacre [^']*--help)'/)
    return hint.map { String($0.1) } ?? "nacre --help"
  }

  private static func sentence(_ text: String) -> String {
    text.hasSuffix(".") ? text : text + "."
  }

  private static func complain(
    _ message: String,
    _ status: ExitStatus,
    code: String? = nil
  ) -> ExitStatus {
    // Also if the command line is wrong, because a program that asked for JSON reads no other stream.
    if CommandLine.arguments.contains("--json") {
      try? EventLog().show([
        "event": "error",
        "code": code ?? status.name,
        "exit": status.code,
        "message": message.visible,
      ])
    }
    // Earlier output comes first, also if both streams go to one file.
    try? Output.flush()
    Output.writeError("nacre: \(message.visible)\n")
    return status
  }
}
#endif
