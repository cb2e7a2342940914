import Foundation
import Nacre

/// The example of a DAO: upgrades the conversations that the first release wrote, searches them and
/// adds to them, for two users.
///
/// `Messages DIR` works on the files in DIR; if there is none, it first copies that of the first
/// release there. `Messages --write-version-1 DIR` makes the file of the first release.
@main
struct Messages {
  static func main() {
    do {
      var arguments = Array(CommandLine.arguments.dropFirst())
      let writes = arguments.first == "--write-version-1"
      if writes { arguments.removeFirst() }
      guard arguments.count == 1, let directory = arguments.first, !directory.hasPrefix("-") else {
        fail("usage: Messages [--write-version-1] DIR", status: 64)
      }
      if writes { return try Version1.write(to: directory) }
      try History(in: directory).run()
    } catch {
      fail("Messages: \(error)", status: 1)
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }
}
