import Foundation

/// The names of a directory's files, and the files' numbers here and in the file system below.
struct DiskNames {
  let directory: String
  private(set) var files: [String: Int] = [:]
  /// Our number of each file by that of the file system below.
  private var known: [UInt64: Int] = [:]
  private var fileCount = 0

  init(_ directory: String) { self.directory = directory }

  /// Takes over all files that are there.
  mutating func findAll() throws -> [DiskChange] {
    try present().map { name, below in
      let bytes = try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name))
      return .found(file: add(name, below), name: name, bytes: Array(bytes))
    }
  }

  /// Notes a file that was opened.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - isNew: Whether the call has made it.
  ///   - changes: Receives what is new about names.
  ///   - read: Reads all of its bytes.
  /// - Returns: The file's number.
  mutating func open(
    _ path: String,
    isNew: Bool,
    _ changes: inout [DiskChange],
    _ read: () -> [UInt8]
  ) -> Int {
    let name = URL(fileURLWithPath: path).lastPathComponent
    changes += look(but: name)
    let below = number(of: name)
    let former = known[below]
    if !isNew, let former {
      if files[name] != former {
        files[name] = former
        changes.append(.link(file: former, name: name))
      }
      return former
    }
    let file = add(name, below)
    changes.append(
      isNew ? .create(file: file, name: name) : .found(file: file, name: name, bytes: read())
    )
    return file
  }

  /// Finds which names known files got or lost since the last look.
  ///
  /// - Parameter skipped: A name that is not looked at.
  /// - Returns: The changes.
  mutating func look(but skipped: String? = nil) -> [DiskChange] {
    let found = Dictionary(uniqueKeysWithValues: present().filter { $0.0 != skipped })
    var lost = files.filter { $0.key != skipped && known[found[$0.key] ?? 0] != $0.value }
    var changes: [DiskChange] = []
    for (name, below) in found {
      guard let file = known[below], files[name] != file else { continue }
      lost[name] = nil
      if let former = lost.first(where: { $0.value == file })?.key {
        lost[former] = nil
        changes.append(.rename(from: former, to: name))
      } else {
        changes.append(.link(file: file, name: name))
      }
    }
    changes += lost.keys.map { .unlink(name: $0) }
    for change in changes { change.apply(to: &files) }
    // The file system below gives the number of a file that is gone to another one.
    let named = Set(files.values)
    known = known.filter { named.contains($0.value) }
    return changes
  }

  private mutating func add(_ name: String, _ below: UInt64) -> Int {
    let file = fileCount
    fileCount += 1
    files[name] = file
    known[below] = file
    return file
  }

  private func present() -> [(String, UInt64)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.sorted().compactMap { name in
      // SQLite never waits for the index of a log, and makes it anew.
      guard !name.hasSuffix("-shm") else { return nil }
      let number = number(of: name)
      return number == 0 ? nil : (name, number)
    }
  }

  /// The number of a file in the file system below; 0 if it is none.
  private func number(of name: String) -> UInt64 {
    var status = stat()
    guard stat(directory + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return 0
    }
    return UInt64(status.st_ino)
  }
}
