#if Tool
import Foundation

/// A key file that a command may create; reports it if it did.
struct NewKeyFile {
  private let path: String?

  /// Checks whether the file exists before the command begins.
  init(_ path: String?) {
    self.path = path.flatMap { FileManager.default.fileExists(atPath: $0) ? nil : $0 }
  }

  /// The lines to print after the command; empty if it did not create the file.
  var lines: [String] {
    guard let path, FileManager.default.fileExists(atPath: path) else { return [] }
    return [
      "Made the key file \(path.visible). Whoever has it opens the store: keep it apart from the store "
        + "and its backups, and keep a copy."
    ]
  }
}
#endif
