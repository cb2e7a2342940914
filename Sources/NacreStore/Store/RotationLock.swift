import Foundation

/// The right to rotate or convert a store: one holder over all processes, until it lets go or dies.
///
/// The kernel's lock on a file beside the store, which names the holder. Never on the store's own file: closing any
/// descriptor of that would drop the locks by which SQLite keeps processes apart.
package final class RotationLock {
  private let path: String
  private var descriptor: Int32

  /// Returns a text that names the process that rotates or converts the store at `path` now; nil if
  /// none does.
  package static func holder(ofStoreAt path: String) -> String? {
    let descriptor = open(file(ofStoreAt: path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // One that was killed leaves its file, and the kernel takes its lock.
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    return holder(descriptor)
  }

  /// Takes the lock of the store at `path`.
  ///
  /// - Throws: `rotationHeld` with who holds it; `readOnly` when the file can't be made.
  package init(ofStoreAt path: String) throws {
    self.path = RotationLock.file(ofStoreAt: path)
    descriptor = try RotationLock.take(self.path)
    let since = Date().formatted(.iso8601)
    write("process \(getpid()) on host \(RotationLock.host) since \(since)\n")
  }

  deinit { release() }

  /// Lets go of the lock; nothing on the second call.
  package func release() {
    guard descriptor >= 0 else { return }
    // While it is held: whoever has it afterwards finds that the name leads elsewhere, and begins anew.
    unlink(path)
    close(descriptor)
    descriptor = -1
  }

  /// The lock's file: one, whatever the links that lead to the store.
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
    // A process that only asks for the holder has the lock for a moment.
    for _ in 0..<5 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { return false }
      usleep(10_000)
    }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Whether the name still is that of the file: the holder before may have removed it.
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
    // It is empty for the moment between the lock and the name.
    guard let line = text.split(separator: "\n").first else { return "another process" }
    return String(line.filter { !$0.isNewline && $0 != "\0" })
  }

  private static var host: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 257) { name in
      // The last byte stays 0, for a long name is cut without one.
      name.initialize(repeating: 0)
      guard let start = name.baseAddress, gethostname(start, 256) == 0 else { return "unknown" }
      return String(cString: start)
    }
  }

  private func write(_ line: String) {
    // For people only: without it the lock is as good.
    guard ftruncate(descriptor, 0) == 0 else { return }
    _ = line.withCString { pwrite(descriptor, $0, strlen($0), 0) }
  }
}
