import Foundation
import NacreCore

/// Where an export goes: a new file, or standard output.
final class LineSink {
  /// Written in pieces of this size, for a line alone costs as much.
  private static let pieceByteCount = 1 << 16

  private let file: NewFile?
  private var buffer = Data()

  /// Makes the file, if one is named.
  ///
  /// - Throws: `CommandFailure` when it exists or can't be made.
  init(_ path: String?) throws { file = try path.map { try NewFile($0) } }

  /// Takes a line with its end.
  ///
  /// - Throws: `CommandFailure` when it can't be written.
  func write(_ line: Data) throws {
    buffer += line
    if buffer.count >= Self.pieceByteCount { try empty() }
  }

  /// Writes the rest.
  func close() throws {
    try empty()
    try file?.close()
  }

  /// Takes a file away that is not whole.
  func discard() { file?.discard() }

  private func empty() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    if let file { return try file.write(buffer) }
    do {
      try FileHandle.standardOutput.write(contentsOf: buffer)
    } catch {
      throw CommandFailure(status: .failure, message: "the output can't be written")
    }
  }
}
