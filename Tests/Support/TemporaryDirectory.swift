public import Foundation

/// A directory of its own for one test, removed with everything in it when this object is released.
public final class TemporaryDirectory: Sendable {
  /// The directory's path.
  public let path: String

  /// Makes the directory.
  public init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("nacre-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the path of a file in the directory.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Reads the bytes of a file in the directory.
  public func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: file(name)))
  }
}
