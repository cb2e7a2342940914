public import Foundation

/// The files of a store in Tests/Golden, which an earlier version has made, and which stay as they are.
public struct GoldenFiles {
  /// Their directory in the repository.
  public let directory: URL

  /// - Parameter name: The directory's name in Tests/Golden.
  public init(_ name: String) {
    directory = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Golden/\(name)")
  }

  /// Copies the store, what lies beside it, and its key file.
  ///
  /// - Parameter target: The directory to copy them to.
  /// - Throws: An error of reading or writing.
  public func copy(to target: String) throws {
    try Self.copy(from: directory, to: URL(filePath: target))
  }

  /// Copies the files of a store to the repository.
  ///
  /// - Parameter source: The directory that has them.
  /// - Throws: An error of reading or writing.
  public func keep(_ source: String) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Self.copy(from: URL(filePath: source), to: directory)
  }

  private static func copy(from source: URL, to target: URL) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: source.path)
    for name in names where name.hasPrefix("store.") && !name.hasSuffix("-shm") {
      let copy = target.appending(path: name)
      try Data(contentsOf: source.appending(path: name)).write(to: copy)
      // git keeps no more of a file's mode than whether it is executable.
      let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
      try FileManager.default.setAttributes(mode, ofItemAtPath: copy.path)
    }
  }
}
