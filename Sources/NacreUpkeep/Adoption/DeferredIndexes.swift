import NacreEngine
import NacreStore

/// The indexes that an adoption drops before it stores many rows, and makes again after them.
///
/// The values of an index come in no order. So each row changes another page of it, and most pages of a large index are
/// no longer in memory by then. An index that is made at the end sorts its values first.
final class DeferredIndexes {
  /// From how many rows on the indexes are worth it.
  private static let rowLimit = 1000

  private let connection: any EngineConnection
  private var definitions: [String] = []

  init(on connection: any EngineConnection) { self.connection = connection }

  /// Drops the indexes of each table that gets more rows than it has.
  func drop(for plans: [AdoptionPlan], _ file: ForeignFile) throws {
    let tables = Dictionary(grouping: plans) { SQLName($0.target.table) }
    for plans in tables.values {
      let count = try plans.reduce(0) { try $0 + file.rowCount(of: $1.source) }
      try drop(of: plans.map(\.target), count)
    }
  }

  private func drop(of targets: [AdoptionTarget], _ count: Int) throws {
    guard let table = targets.first?.table, count >= DeferredIndexes.rowLimit,
      try connection.rowCount(of: table, upTo: count) < count
    else { return }
    let indexes = try connection.schema.indexes(of: table).filter { index in
      try targets.allSatisfy { try $0.canDefer(index) }
    }
    for (_, object) in try connection.schema.indexDefinitions(of: [table]) {
      let index = indexes.first { $0.name.hasSameBytes(as: object.name) }
      guard let index, !object.definition.isEmpty else { continue }
      try connection.execute(MigrationSQL.dropIndex(index.name))
      definitions.append(object.definition)
      for target in targets { target.skipCheck(of: index) }
    }
  }

  /// Makes the indexes again.
  ///
  /// - Throws: ``EqualValues`` if a unique index finds a value twice.
  func make() throws {
    do {
      for definition in definitions { try connection.execute(definition) }
    } catch let error as any EngineError where error.kind == .constraint {
      throw EqualValues()
    }
  }

  /// Two rows have the same value in a column that is unique; only an adoption that keeps the indexes can say which.
  struct EqualValues: Error {}
}
