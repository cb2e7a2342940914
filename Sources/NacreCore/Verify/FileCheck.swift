import NacreSQLite

/// What can be said of a store's file without a key.
struct FileCheck {
  let connection: Connection

  func faults() throws -> [StoreFault] {
    var faults = try integrity()
    // In a damaged file, other statements may find anything.
    if !faults.isEmpty { return faults }
    faults += try foreignKeys()
    faults += try CatalogCheck(connection).faults
    faults += try settings()
    faults += try UnfinishedWork.all(on: connection).map { work in
      StoreFault(
        .unfinished,
        entity: work.entity,
        property: work.property,
        "\(work.kind): \(work.phase), \(work.done) of \(work.total) done"
      )
    }
    return faults
  }

  private func integrity() throws -> [StoreFault] {
    var faults: [StoreFault] = []
    do {
      try connection.each(VerifySQL.integrity, []) { row in
        let line = row.text(at: 0)
        if line != "ok" { faults.append(StoreFault(.damaged, line)) }
      }
    } catch let error as SQLiteError where error.isCorrupt {
      faults.append(StoreFault(.damaged, error.message))
    }
    return faults
  }

  private func foreignKeys() throws -> [StoreFault] {
    var faults: [StoreFault] = []
    do {
      try connection.each(VerifySQL.foreignKeys, []) { row in
        let (table, parent) = (row.text(at: 0), row.text(at: 1))
        let detail = "\(row.int64(at: 2)) rows of \(table) refer to no row of \(parent)"
        faults.append(StoreFault(.foreignKey, detail))
      }
    } catch let error as SQLiteError where error.code == 1 {
      faults.append(StoreFault(.foreignKey, error.message))
    }
    return faults
  }

  private func settings() throws -> [StoreFault] {
    guard case .text(let mode) = try connection.scalar(VerifySQL.journalMode), mode != "wal" else {
      return []
    }
    return [StoreFault(.journalMode, "the journal mode is \(mode)")]
  }
}
