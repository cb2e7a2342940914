import Foundation
import NacreCrypto
import NacreEngine

/// A key file: comment lines that begin with `#`, and one line `NACRE-KEY-1 ` followed by 64 hex
/// digits (Vectors/FORMAT.md).
enum KeyFile {
  private static let prefix = Array("NACRE-KEY-1 ".utf8)
  /// A key file is far smaller than this; a larger file is refused.
  private static let maximumByteCount = 16_384

  /// Creates a key file that only its owner can read, or reads the one that somebody else has
  /// created meanwhile.
  ///
  /// It never overwrites an existing file.
  ///
  /// - Throws: `replaceableKeyFile` if other users could replace the file by their own;
  ///   `badKeyFile`.
  static func create(at path: String) throws -> SecretBytes {
    try KeyFilePlace.check(path)
    let secret = try SecretBytes(random: 32)
    // Write the whole file under another name first: a process that is killed must not leave half a
    // key, and another process must not find one.
    let draft = path + ".\(UUID().uuidString).new"
    try write(secret, toNewFile: draft)
    defer { unlink(draft) }
    if link(draft, path) != 0 {
      if errno == EEXIST { return try read(from: path) }
      // The file system may not support links.
      try write(secret, toNewFile: path)
    }
    syncDirectory(of: path)
    return secret
  }

  private static func write(_ secret: SecretBytes, toNewFile path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path, "can't be made: \(lastSystemError())") }
    defer { close(descriptor) }
    try withText(of: secret) { text in
      let count = Foundation.write(descriptor, text.baseAddress, text.count)
      guard count == text.count, fsync(descriptor) == 0 else {
        let reason = lastSystemError()
        unlink(path)
        throw failure(path, "can't be written: \(reason)")
      }
    }
  }

  /// Reads a key file.
  ///
  /// - Throws: `badKeyFile`, also if group or others have access, unless the file is root's and
  ///   they can only read it; `replaceableKeyFile` if other users could replace the file by their
  ///   own.
  static func read(from path: String) throws -> SecretBytes {
    // Open without blocking: a named pipe at this path would block until somebody writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(path, "can't be read: \(lastSystemError())") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure(path, "is not a file")
    }
    try checkAccess(status, path)
    try KeyFilePlace.check(path)
    return try withUnsafeTemporaryAllocation(byteCount: maximumByteCount, alignment: 1) { buffer in
      defer { SecureMemory.cleanse(buffer) }
      var count = 0
      while count < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        let read = Foundation.read(descriptor, rest.baseAddress, rest.count)
        guard read >= 0 else { throw failure(path, "can't be read: \(lastSystemError())") }
        if read == 0 { break }
        count += read
      }
      guard count < buffer.count else { throw failure(path, "is too large to be a key file") }
      return try parse(
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]),
        path
      )
    }
  }

  /// Throws if others have access to the file, or if its owner is neither this process's user nor
  /// root.
  private static func checkAccess(_ status: stat, _ path: String) throws {
    let isOfOthers = !FileOwner.isTrusted(status.st_uid)
    // Root may use a key file of any user.
    guard !isOfOthers || geteuid() == 0 else {
      throw NacreError(
        .replaceableKeyFile,
        detail: "\(path) could be replaced by the user who owns it"
      )
    }
    // Containers get their secrets like this: root decides who reads its own file, and this process
    // can't change that.
    if status.st_uid != geteuid(), FileOwner.isRoot(status.st_uid) {
      guard status.st_mode & 0o022 == 0 else {
        throw failure(path, "can be written by group or others: run chmod go-w")
      }
      return
    }
    guard status.st_mode & 0o077 == 0 else {
      throw failure(path, "can be read by group or others: run chmod 600")
    }
  }

  private static func parse(_ text: UnsafeRawBufferPointer, _ path: String) throws -> SecretBytes {
    var found: SecretBytes?
    for var line in text.split(separator: 0x0A) {
      // A CR belongs to the end of a line only if LF follows; the last line may have no LF.
      if line.last == 0x0D && line.endIndex < text.endIndex { line = line.dropLast() }
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      guard found == nil, line.starts(with: prefix), line.count == prefix.count + 64 else {
        throw failure(path, "is not a key file")
      }
      let digits = UnsafeRawBufferPointer(rebasing: line.dropFirst(prefix.count))
      do {
        found = try HexSecret.decode(digits, source: path)
      } catch {
        throw failure(path, "is not a key file")
      }
    }
    guard let found else { throw failure(path, "holds no key") }
    return found
  }

  /// Passes `body` the whole text of a key file, in memory that is cleansed afterwards.
  private static func withText(
    of secret: SecretBytes,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let comment = Array(
      "# The key of a Nacre store. Whoever has it can open the store; keep it apart from it.\n".utf8
    )
    let count = comment.count + prefix.count + 64 + 1
    try withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { text in
      defer { SecureMemory.cleanse(text) }
      text.copyBytes(from: comment + prefix)
      let digits = Array("0123456789abcdef".utf8)
      secret.withUnsafeBytes { bytes in
        for (index, byte) in bytes.enumerated() {
          text[comment.count + prefix.count + 2 * index] = digits[Int(byte >> 4)]
          text[comment.count + prefix.count + 2 * index + 1] = digits[Int(byte & 15)]
        }
      }
      text[count - 1] = 0x0A
      try body(UnsafeRawBufferPointer(text))
    }
  }

  /// Syncs the directory; otherwise a power failure could remove the file's name and leave a store
  /// without its key.
  private static func syncDirectory(of path: String) {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func failure(_ path: String, _ reason: String) -> NacreError {
    NacreError(.badKeyFile, detail: "\(path) \(reason)")
  }
}
