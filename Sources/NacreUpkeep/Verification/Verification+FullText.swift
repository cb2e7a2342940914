import NacreEngine
public import NacreStore

// Full-text indexes: whether each holds the texts of its rows, and whether it fits these texts.

extension Verification {
  /// Notes the full-text indexes that do not hold what the rows hold.
  func lookAtFullText(_ shapes: [EntityShape]) throws {
    guard report.isComplete else { return }
    for shape in shapes {
      guard let index = shape.fullText else { continue }
      for detail in try faults(of: index) {
        report.faults.append(
          StoreFault(
            .fullText,
            entity: shape.entity.name,
            detail + "; `rebuildFullText()` makes it anew"
          )
        )
      }
    }
  }

  private func faults(of index: FullTextIndex) throws -> [String] {
    do {
      let (sql, stale) = try store.read { database in
        let sql = try index.sql(database.connection.dialect)
        return (sql, try database.connection.scalar(sql.countStale))
      }
      if case .integer(let count)? = stale, count > 0 {
        return [count.counted("object has", "objects have") + " other texts in the index"]
      }
      return try fits(sql) ? [] : ["the index does not fit its own texts"]
    } catch let error as NacreError where error.code == .corrupt {
      return ["the index is damaged"]
    }
  }

  /// Returns whether the engine finds that an index fits its own texts; true if nobody can ask,
  /// because the store can't be written.
  ///
  /// The engine asks for a connection that writes, although nothing is changed.
  private func fits(_ sql: FullTextSQL) throws -> Bool {
    if store.isOnlyLookedAt { return true }
    do {
      try store.withWriterApart { writer in
        try writer.transaction(.immediate) { database in
          database.shouldRollback = true
          try database.connection.execute(sql.check)
        }
      }
      return true
    } catch let error as NacreError where error.code == .corrupt {
      return false
    } catch let error as NacreError where error.code == .readOnly {
      return true
    }
  }
}

extension Store {
  /// Makes the full-text indexes anew, from the texts of the rows.
  ///
  /// It is needed only for an index that ``verify(_:onBadCell:progress:)`` finds at fault. It also takes
  /// the last traces of deleted texts out of an index.
  ///
  /// - Parameter entities: The entities; nil is all.
  /// - Throws: ``NacreError``; then nothing is changed.
  public func rebuildFullText(of entities: [String]? = nil) throws {
    try writeMuch { database in
      try database.refuseForeignCatalog()
      for entity in try CatalogEntity.all(on: database.connection) {
        guard entities?.contains(entity.name) ?? true,
          let index = FullTextIndex(table: entity.table, entity.properties)
        else { continue }
        try FullTextIndex.drop(ofTable: entity.table, on: database.connection)
        try index.make(on: database.connection)
      }
    }
  }

  /// The async twin of ``rebuildFullText(of:)-([String]?)``.
  ///
  /// - Throws: ``NacreError``; then nothing is changed.
  public func rebuildFullText(of entities: [String]? = nil) async throws {
    try await Self.onThread { try self.rebuildFullText(of: entities) }
  }
}
