import CSQLite
import Foundation
import NacreEngine

/// The header of a sealed file, read and written through SQLite's default file system.
package final class SealedHeaderFile: HeaderFile {
  private let path: String

  /// Makes the header of the file at a path, which need not exist.
  package init(path: String) { self.path = path }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard case .success(let file) = open(SQLITE_OPEN_READONLY) else { return false }
    defer { _ = file.close() }
    return file.read(into: buffer, at: Int64(offset)) == SQLITE_OK
  }

  package func write(_ bytes: [UInt8], at offset: Int) throws {
    let file: BaseFile
    switch open(SQLITE_OPEN_READWRITE) {
    case .success(let opened): file = opened
    case .failure(let reason): throw failure(reason.code)
    }
    defer { _ = file.close() }
    let result = bytes.withUnsafeBytes { file.write($0, at: Int64(offset)) }
    guard result == SQLITE_OK else { throw failure(result) }
    let synced = file.sync(SQLITE_SYNC_FULL)
    guard synced == SQLITE_OK else { throw failure(synced) }
  }

  package func create(_ bytes: [UInt8]) throws -> Bool {
    // A file whose header is not whole must not bear the name.
    let partial = "\(path)-\(UUID().uuidString).partial"
    try WholeFile.makeEmpty(partial, for: path)
    do {
      try SealedHeaderFile(path: partial).write(bytes, at: 0)
      if try WholeFile(partial: partial, path: path).takeName() { return true }
    } catch {
      unlink(partial)
      throw error
    }
    unlink(partial)
    return false
  }

  /// Runs the body while nobody else has the file open.
  ///
  /// With a write-ahead log, whoever has the file open holds a lock on it all the time. Without one,
  /// only whoever reads or writes at this moment is noticed.
  ///
  /// - Throws: `HomeError` of kind `busy` if somebody has it open; the error of `body`.
  package func whileNobodyHasIt<T>(_ body: () throws -> T) throws -> T {
    let file: BaseFile
    switch open(SQLITE_OPEN_READWRITE) {
    case .success(let opened): file = opened
    case .failure(let reason): throw failure(reason.code)
    }
    defer {
      _ = file.unlock(to: SQLITE_LOCK_NONE)
      _ = file.close()
    }
    for level in [SQLITE_LOCK_SHARED, SQLITE_LOCK_EXCLUSIVE] {
      let result = file.lock(level)
      guard result == SQLITE_OK else { throw failure(result) }
    }
    return try body()
  }

  private func failure(_ code: Int32) -> HomeError { HomeError(code: code, path: path) }

  private func open(_ access: Int32) -> Result<BaseFile, OpeningFailure> {
    BaseFile.open(nil, keeping: FileName(path), access | SQLITE_OPEN_MAIN_DB, nil)
  }
}
