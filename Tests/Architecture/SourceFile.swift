import Foundation
import Synchronization

/// A file of the repository, or a snippet that stands for one.
struct SourceFile: Sendable {
  /// The path below the repository's root, such as `Sources/NacreCore/Store/Store.swift`.
  let path: String
  let text: String
  private let scan = Scan()

  init(path: String, text: String) {
    self.path = path
    self.text = text
  }

  /// The code and the literals of the text, which are looked for once.
  var scanner: SwiftScanner { scan.found(in: text) }

  /// The folder right below `Sources` or `Tests`.
  var room: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// The path below the room, such as `Store/Store.swift`.
  var place: String { path.split(separator: "/").dropFirst(2).joined(separator: "/") }

  var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
}

private final class Scan: Sendable {
  private let scanner = Mutex<SwiftScanner?>(nil)

  func found(in text: String) -> SwiftScanner {
    scanner.withLock { scanner in
      if let scanner { return scanner }
      let new = SwiftScanner(text)
      scanner = new
      return new
    }
  }
}

/// The repository's files, found from where this very file lies.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func file(_ path: String) throws -> SourceFile {
    let url = root.appendingPathComponent(path)
    return SourceFile(path: path, text: try String(contentsOf: url, encoding: .utf8))
  }

  /// The Swift and C files below a folder, by path.
  static func files(below folder: String) throws -> [SourceFile] {
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: root.appendingPathComponent(folder).path
    )
    return try paths.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".h") }.sorted()
      .map { try file(folder + "/" + $0) }
  }

  static func folders(below folder: String) throws -> Set<String> {
    Set(try files(below: folder).map(\.room))
  }
}
