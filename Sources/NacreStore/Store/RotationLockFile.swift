import Foundation
import NacreEngine

/// The kernel's lock on a file beside a store, until its holder releases it or dies; the file names the holder.
///
/// It is never on the store's own file: closing any descriptor of that file would drop the locks by which SQLite keeps
/// processes apart.
package final class RotationLockFile {
  private let path: String
  private var descriptor: Int32

  /// Returns a text that names the process that is rotating or converting the store at `path`; nil
  /// if there is none.
  package static func holder(ofStoreAt path: String) -> String? {
    let descriptor = open(file(ofStoreAt: path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // If a holder was killed, its file remains but the kernel has released its lock.
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    return holder(descriptor)
  }

  /// Takes the lock of the store at `path`.
  ///
  /// - Throws: `rotationHeld`, which names the holder; `readOnly` if the file can't be created.
  package init(ofStoreAt path: String) throws {
    self.path = Self.file(ofStoreAt: path)
    descriptor = try Self.take(self.path)
    write(RotationLock.ownName + "\n")
  }

  deinit { release() }

  /// Releases the lock; a second call does nothing.
  package func release() {
    guard descriptor >= 0 else { return }
    // Delete the file while the lock is held: the next process that gets the lock notices that the
    // path leads elsewhere, and starts over.
    unlink(path)
    close(descriptor)
    descriptor = -1
  }

  /// Returns the path of the lock's file, which is the same for every symbolic link to the store.
  static func file(ofStoreAt path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path + "-rotation"
  }

  private static func take(_ path: String) throws -> Int32 {
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        throw NacreError(.readOnly, detail: "\(path): \(lastSystemError())")
      }
      guard lock(descriptor) else {
        defer { close(descriptor) }
        guard errno == EWOULDBLOCK else {
          throw NacreError(.inputOutput, detail: "\(path): \(lastSystemError())")
        }
        throw NacreError(.rotationHeld, detail: holder(descriptor))
      }
      if leads(path, to: descriptor) { return descriptor }
      close(descriptor)
    }
  }

  private static func lock(_ descriptor: Int32) -> Bool {
    // A process that only asks for the holder takes a shared lock for a moment.
    for _ in 0..<5 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { return false }
      usleep(10_000)
    }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Returns whether the path still leads to the open file; the former holder may have deleted
  /// that.
  private static func leads(_ path: String, to descriptor: Int32) -> Bool {
    var named = stat()
    var open = stat()
    return lstat(path, &named) == 0 && fstat(descriptor, &open) == 0
      && named.st_ino == open.st_ino && named.st_dev == open.st_dev
  }

  private static func holder(_ descriptor: Int32) -> String {
    let text = withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { buffer in
      let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
      return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
    // The file is empty for a moment, between the lock and the writing of the name.
    guard let line = text.split(separator: "\n").first else { return "another process" }
    return RotationLock.shown(String(line))
  }

  private func write(_ line: String) {
    // The text is only for people: the lock works without it.
    guard ftruncate(descriptor, 0) == 0 else { return }
    _ = line.withCString { pwrite(descriptor, $0, strlen($0), 0) }
  }
}
