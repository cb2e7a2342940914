package import Foundation
import NacreStore

/// Reads a file or pipe line by line, in pieces of 1 MiB, for ``Store/importLines(existing:from:)``.
package final class LineReader {
  private static let pieceByteCount = 1 << 20

  private let handle: FileHandle
  private let limit: Int
  private var buffer = Data()
  private var start = 0
  private var isAtEnd = false

  /// Makes a reader that starts at the handle's current position.
  ///
  /// - Parameters:
  ///   - handle: the open file or pipe.
  ///   - limit: how many bytes a line may have at most.
  package init(_ handle: FileHandle, limit: Int = 1 << 30) {
    self.handle = handle
    self.limit = limit
  }

  /// The next line, without its line end; nil at the end.
  ///
  /// - Throws: ``NacreError`` with code `badImport` for a line beyond the limit, or `inputOutput`.
  package func next() throws -> Data? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        return Data(buffer[start..<end])
      }
      searched = buffer.endIndex
      if isAtEnd {
        defer { start = buffer.endIndex }
        return start == buffer.endIndex ? nil : Data(buffer[start...])
      }
      guard buffer.endIndex - start <= limit else {
        throw NacreError(.badImport, detail: "a line is longer than \(limit) bytes")
      }
      searched -= start
      try fill()
    }
  }

  private func fill() throws {
    buffer.removeSubrange(..<start)
    // A new copy, so that the indexes of the remaining bytes begin at 0 again.
    buffer = Data(buffer)
    start = 0
    do {
      let piece = try handle.read(upToCount: LineReader.pieceByteCount) ?? Data()
      isAtEnd = piece.isEmpty
      buffer.append(piece)
    } catch {
      throw NacreError(.inputOutput, cause: error)
    }
  }
}
