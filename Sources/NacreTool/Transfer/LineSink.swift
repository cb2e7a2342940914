#if Tool
import Foundation
import NacreStore

/// The destination of an export: a new file, or standard output.
final class LineSink {
  /// Lines are collected into pieces of this size, because writing one line costs as much as writing a piece.
  private static let pieceByteCount = 1 << 16

  private let file: NewFile?
  private var buffer = Data()

  /// Creates the file, if one is named.
  ///
  /// - Throws: `CommandFailure` if it exists or can't be made.
  init(_ path: String?) throws { file = try path.map { try NewFile($0) } }

  /// Writes a line, given with its line end.
  ///
  /// - Throws: `CommandFailure` if it can't be written.
  func write(_ line: Data) throws {
    buffer += line
    if buffer.count >= Self.pieceByteCount { try empty() }
  }

  /// Writes the rest.
  func close() throws {
    try empty()
    try file?.close()
  }

  /// Deletes a file that is not complete.
  func discard() { file?.discard() }

  private func empty() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    if let file { return try file.write(buffer) }
    do {
      try FileHandle.standardOutput.write(contentsOf: buffer)
    } catch {
      throw CommandFailure(.failure, "the output can't be written")
    }
  }
}
#endif
