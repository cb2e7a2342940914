import ArgumentParser
import NacreCore

/// The command `nacre`.
@main
struct NacreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nacre", abstract: "Looks into Nacre stores.")
}
