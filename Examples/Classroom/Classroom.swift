import Foundation
import Nacre

/// The example of a classroom: migrates two stores of the first release to the third, and uses
/// them.
///
/// `Classroom DIR` migrates the files in DIR; if there are none, it first copies those of the first
/// release there. `Classroom --write-version-1 DIR` makes the files of the first release.
@main
struct Classroom {
  static func main() {
    do {
      var arguments = Array(CommandLine.arguments.dropFirst())
      let writes = arguments.first == "--write-version-1"
      if writes { arguments.removeFirst() }
      guard arguments.count == 1, let directory = arguments.first, !directory.hasPrefix("-") else {
        fail("usage: Classroom [--write-version-1] DIR", status: 64)
      }
      if writes { return try Version1.write(to: directory) }
      try School(in: directory).run()
    } catch {
      fail("Classroom: \(error)", status: 1)
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }
}
