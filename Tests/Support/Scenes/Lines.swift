import Foundation
import NacreCore
import NacreUpkeep
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

extension Scene {
  /// Every row of the application's tables, by table.
  func tables() throws -> [String: [[Value]]] {
    let names = try reading { try $0.tables() }
      .filter { $0.kind == .table && !$0.name.hasPrefix("nacre") && !$0.name.hasPrefix("sqlite") }
    var tables: [String: [[Value]]] = [:]
    for name in names.map(\.name) {
      tables[name] = try edit("SELECT * FROM \"\(name.replacing("\"", with: "\"\""))\"")
    }
    return tables
  }
}

extension Stock {
  /// A copy of the store without a row in the application's tables.
  func emptied() throws -> (scene: Scene, store: Store) {
    let copy = try Scene()
    try store.backup(to: copy.path)
    for table in try copy.tables().keys { try copy.edit("DELETE FROM \"\(table)\"") }
    return (copy, try copy.open())
  }
}
