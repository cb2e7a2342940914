#if Tool
import Foundation
import NacreOpen
import NacreStore

/// A new file that only its owner can read; an existing file is never overwritten.
final class NewFile {
  let path: String
  private let handle: FileHandle

  /// Makes the file.
  ///
  /// - Throws: `CommandFailure` if it exists or can't be made; `NacreError` if its path is the URL of a server.
  init(_ path: String) throws {
    try Store.refuseServer(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { throw CommandFailure.exists(path) }
      let reason = path.isEmpty ? "its path is empty" : String(cString: strerror(errno))
      throw CommandFailure(.of(.cannotOpen), "\(path) can't be made: \(reason)")
    }
    self.path = path
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Appends bytes to the file.
  ///
  /// - Throws: `CommandFailure` if they can't be written, for example on a full disk.
  func write(_ bytes: Data) throws {
    do {
      try handle.write(contentsOf: bytes)
    } catch {
      throw CommandFailure(.of(.inputOutput), "\(path) can't be written")
    }
  }

  /// Closes the file after its content is on the disk.
  ///
  /// - Throws: `CommandFailure` if that fails.
  func close() throws {
    do {
      guard fsync(handle.fileDescriptor) == 0 else { throw POSIXError(.EIO) }
      try handle.close()
    } catch {
      throw CommandFailure(.of(.inputOutput), "\(path) can't be written")
    }
  }

  /// Deletes the file again, if its content is not complete.
  func discard() {
    try? handle.close()
    unlink(path)
  }
}
#endif
