import Foundation

/// The regions of the tour's files and the Swift blocks of the pages that show them, as texts.
struct TourText {
  /// A region's or block's place, for a message, and its lines without their common indentation.
  struct Excerpt {
    let place: String
    let text: String

    init(_ place: String, _ lines: [Substring]) {
      self.place = place
      let used = lines.filter { !$0.allSatisfy(\.isWhitespace) }
      let indentation = used.map { $0.prefix { $0 == " " }.count }.min() ?? 0
      text = lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
    }
  }

  /// A region or block that begins or ends alone.
  struct MalformedError: Error {
    let place: String
  }

  /// The directory of the tests of Nacre, wherever a link to it lies.
  private static let tests = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// What lies between `// tour: name` and `// end` in the files of a folder.
  static func regions(in folder: String = "Tour") throws -> [Excerpt] {
    let directory = tests.appendingPathComponent(folder)
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    return try files.filter { $0.hasSuffix(".swift") && !$0.contains("Text") }.flatMap { name in
      try excerpts(of: directory.appendingPathComponent(name)) { line in
        line.hasPrefix("// tour: ")
      } isEnd: { line in
        line == "// end"
      }
    }
  }

  /// What lies between ```` ```swift ````, or another language, and ```` ``` ````.
  static func blocks(
    of pages: [String] = ["README.md", "TOUR.md", "ADOPT.md", "COMING-FROM.md"],
    language: String = "swift"
  ) throws -> [Excerpt] {
    let root = tests.deletingLastPathComponent().deletingLastPathComponent()
    return try pages.flatMap { name in
      try excerpts(of: root.appendingPathComponent(name)) { line in
        line == "```" + language
      } isEnd: { line in
        line == "```"
      }
    }
  }

  private static func excerpts(
    of file: URL,
    isStart: (Substring) -> Bool,
    isEnd: (Substring) -> Bool
  ) throws -> [Excerpt] {
    let text = try String(contentsOf: file, encoding: .utf8)
    var excerpts: [Excerpt] = []
    var open: (place: String, lines: [Substring])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let bare = line.drop { $0 == " " }
      let place = "\(file.lastPathComponent):\(index + 1)"
      if isStart(bare) {
        guard open == nil else { throw MalformedError(place: place) }
        open = (place, [])
      } else if let region = open {
        if isEnd(bare) {
          excerpts.append(Excerpt(region.place, region.lines))
          open = nil
        } else {
          open?.lines.append(line)
        }
      }
    }
    if let open { throw MalformedError(place: open.place) }
    return excerpts
  }
}
