import Foundation

/// Files of the kernel's below /proc, which say that they have 0 bytes and give a page at a time.
///
/// Foundation stops after the first page.
public enum KernelFile {
  /// Returns all lines of a file.
  public static func lines(of path: String) throws -> [Substring] {
    guard let file = fopen(path, "r") else { throw CocoaError(.fileReadUnknown) }
    defer { fclose(file) }
    var text: [UInt8] = []
    var page = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&page, 1, page.count, file), count > 0 {
      text += page.prefix(count)
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n")
  }
}
