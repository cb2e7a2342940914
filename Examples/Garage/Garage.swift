import Foundation

/// The example that `script/demo` runs.
@main
struct Garage {
  static func main() {
    do {
      let invocation = try Invocation(CommandLine.arguments.dropFirst())
      if invocation.wantsHelp { return print(Invocation.help) }
      let workplace = try Workplace(keep: invocation.directory, server: invocation.server)
      defer { workplace.leave() }
      try Tour(workplace: workplace).run()
    } catch {
      FileHandle.standardError.write(Data("Garage: \(error)\n".utf8))
      exit(status(of: error))
    }
  }

  /// The exit status, after sysexits(3).
  private static func status(of error: any Error) -> Int32 {
    switch error {
    case is UsageError: 64
    case is WorkplaceError: 73
    default: 1
    }
  }
}
