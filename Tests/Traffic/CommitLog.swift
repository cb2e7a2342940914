import Foundation

/// What a program has committed: a line an object, its objectID and version, or `-` where it was deleted.
///
/// Written behind the commit, and handed to the kernel at once: nothing of it is lost with the process.
struct CommitLog {
  private let file: FileHandle?

  /// Makes the log, or goes on with it; nil keeps none.
  init(path: String?) throws {
    guard let path else { file = nil; return }
    if !FileManager.default.fileExists(atPath: path) {
      guard FileManager.default.createFile(atPath: path, contents: nil) else {
        throw Deviation("\(path) can't be made")
      }
    }
    file = FileHandle(forWritingAtPath: path)
    guard file != nil else { throw Deviation("\(path) can't be written") }
    try file?.seekToEnd()
  }

  func write(_ changes: [Change]) throws {
    let lines = changes.map { "\($0.objectID) \($0.version.map(String.init) ?? "-")\n" }
    try file?.write(contentsOf: Data(lines.joined().utf8))
  }
}

/// An object that was written or, without a version, deleted.
struct Change {
  let objectID: UUID
  let version: Int?
}

/// What must be in the store by the logs of all who wrote to it.
struct Expectation {
  /// The versions of the objects that must be there.
  private(set) var versions: [UUID: Int] = [:]

  /// Reads the logs, and holds that no write took the place of another one that it had not seen.
  init(logs: [String]) throws {
    var written: [UUID: Set<Int>] = [:]
    var deleted: Set<UUID> = []
    for path in logs {
      for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count == 2, let id = UUID(uuidString: String(words[0])) else {
          throw Deviation("\(path): \(line) is no line of a log")
        }
        let isNew: Bool
        if words[1] == "-" {
          isNew = deleted.insert(id).inserted
        } else if let version = Int(words[1]) {
          isNew = written[id, default: []].insert(version).inserted
        } else {
          isNew = false
        }
        guard isNew else { throw Deviation("\(path): \(line) was committed before") }
      }
    }
    for (id, seen) in written {
      guard seen.min() == 1, seen.max() == seen.count else {
        throw Deviation("object \(id): the versions that were committed have gaps")
      }
      if !deleted.contains(id) { versions[id] = seen.count }
    }
  }
}
