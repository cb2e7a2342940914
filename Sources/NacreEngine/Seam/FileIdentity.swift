import Foundation

/// The identity of a file: two paths lead to the same file if their identities are equal.
package struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Reads the identity of the file at a path; nil if there is no file.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
