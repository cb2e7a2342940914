import Foundation
import NacreCore

/// A file that a command makes for its owner alone; an existing one is never overwritten.
final class NewFile {
  let path: String
  private let handle: FileHandle

  /// Makes the file.
  ///
  /// - Throws: `CommandFailure` when it exists or can't be made.
  init(_ path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { throw CommandFailure.exists(path) }
      let reason = path.isEmpty ? "its path is empty" : String(cString: strerror(errno))
      throw CommandFailure(status: .of(.cannotOpen), message: "\(path) can't be made: \(reason)")
    }
    self.path = path
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Writes bytes behind those that were written before.
  ///
  /// - Throws: `CommandFailure` when they can't be written, as on a full disk.
  func write(_ bytes: Data) throws {
    do {
      try handle.write(contentsOf: bytes)
    } catch {
      throw CommandFailure(status: .of(.inputOutput), message: "\(path) can't be written")
    }
  }

  /// Ends the file, and waits until it is on the disk.
  ///
  /// - Throws: `CommandFailure` when that fails.
  func close() throws {
    do {
      // A pipe or terminal has no disk to be on.
      _ = fsync(handle.fileDescriptor)
      try handle.close()
    } catch {
      throw CommandFailure(status: .of(.inputOutput), message: "\(path) can't be written")
    }
  }

  /// Takes the file away again, when what was to be in it did not come.
  func discard() {
    try? handle.close()
    unlink(path)
  }
}
