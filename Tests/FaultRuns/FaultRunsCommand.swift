import Foundation

/// Runs stores on disks that fail and whose power is cut: script/faults.
@main
enum FaultRunsCommand {
  static func main() {
    do {
      try Runs(Invocation(Array(CommandLine.arguments.dropFirst()))).run()
    } catch {
      FileHandle.standardError.write(Data("FaultRuns: \(error)\n".utf8))
      exit(1)
    }
  }
}
