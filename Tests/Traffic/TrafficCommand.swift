import Foundation
import NacreCore

/// A program that uses a store as applications do, for tests with real processes: script/traffic, script/kill and
/// script/failover.
@main
enum TrafficCommand {
  static func main() {
    do {
      let invocation = try Invocation(Array(CommandLine.arguments.dropFirst()))
      switch invocation.verb {
      case "make": try make(invocation)
      case "write": try Writer(invocation).run()
      case "read": try Reader(invocation).run()
      case "check": try Checker(invocation).run()
      case "convert": try convert(invocation)
      case "outlast": try Survivor(invocation).run()
      case "survived": try SurvivorCheck(invocation).run()
      default: throw Deviation(Invocation.usage)
      }
    } catch {
      FileHandle.standardError.write(Data("Traffic: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Makes a store of so many objects.
  private static func make(_ invocation: Invocation) throws {
    let store = try invocation.open()
    let log = try CommitLog(path: invocation.values("--log").first)
    var generator = try invocation.generator()
    let identities = (0..<(try invocation.number("--count", default: 1000)))
      .map { _ in generator.objectID() }
    try store.write { _ in
      for identity in identities {
        let object = Ledger.create(objectID: identity)
        object.fill(version: 1)
        try object.save()
      }
    }
    try log.write(identities.map { Change(objectID: $0, version: 1) })
    try store.close()
  }

  /// Makes `holder` plain, or sealed and searchable, or takes back what was begun; says each phase.
  private static func convert(_ invocation: Invocation) throws {
    let store = try invocation.open()
    let form = try invocation.value("--to")
    if form == "back" {
      try store.abandonMigration()
    } else {
      var shown = ""
      let options = form == "plain" ? nil : Ledger.holderSealing
      try store.convert("holder", of: "Ledger", to: options) { progress in
        if progress.phase != shown { try? report(["phase": progress.phase]) }
        shown = progress.phase
        return true
      }
    }
    try store.close()
  }
}
