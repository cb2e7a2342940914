import Foundation

/// A file, by whatever name: two paths are of one file where these are equal.
package struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Nil where there is no file.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
