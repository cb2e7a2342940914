import Foundation
import NacreCore
import Testing

/// The lines of an export, kept in memory.
struct Lines {
  var lines: [Data] = []

  init(_ lines: [Data] = []) { self.lines = lines }

  init(_ store: Store, revealing: Bool = false, entities: [String]? = nil) throws {
    var lines: [Data] = []
    try store.export(revealing: revealing, entities: entities) { lines.append($0) }
    self.lines = lines
  }

  init(text: String) {
    lines = text.split(separator: "\n").map { Data($0.utf8) }
  }

  var text: String { lines.map { String(decoding: $0, as: UTF8.self) }.joined() }

  @discardableResult
  func load(
    into store: Store,
    existing: ExistingObjects = .refuse
  ) throws -> TransferReport {
    var rest = lines.makeIterator()
    return try store.importLines(existing: existing) { rest.next() }
  }

  /// The same with a text in place of another, which must be there.
  func replacing(
    _ old: String,
    _ new: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Lines {
    #expect(text.contains(old), "\(old) is not in the lines", sourceLocation: sourceLocation)
    return Lines(text: text.replacing(old, with: new))
  }
}
