import Foundation
import Nacre

/// The conversations of two users, of which the first release wrote a file, upgraded, searched and gone on with.
///
/// `Messages DIR` works on the files in DIR, where it puts that of the first release if there is none;
/// `Messages --write-version-1 DIR` makes it.
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
