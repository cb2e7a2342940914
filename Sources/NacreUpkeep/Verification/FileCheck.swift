import NacreEngine
import NacreStore
import NacreCrypto
import NacreSQLite

/// Finds the faults of a store's file that show without a key.
struct FileCheck {
  let connection: any EngineConnection
  /// The journal mode that the store was opened with, or was set to since.
  let journalMode: Pragmas.JournalMode

  func faults() throws -> [StoreFault] {
    var faults = try integrity()
    // In a damaged file, other statements may find anything.
    if !faults.isEmpty { return faults }
    let strangers = try OwnTables.strangers(on: connection)
    faults += strangers.map { StoreFault(.foreignSchema, $0.words) }
    if strangers.contains(where: \.isOwnTable) { return faults }
    faults += try RingCheck.slots(on: connection)
    faults += try foreignKeys()
    let catalog = try CatalogCheck(connection)
    faults += catalog.faults
    faults += try copyOfCatalog()
    faults += try strays(catalog.shapes)
    faults += try settings()
    faults += try RotationJournal.unfinished(on: connection).map { work in
      StoreFault(
        .unfinished,
        entity: work.entity,
        property: work.property,
        "\(work.kind): \(work.phase), \(work.done) of \(work.total) done"
      )
    }
    return faults
  }

  /// Compares the catalog with its copy in the file; only the secret can tell whether either is authentic.
  private func copyOfCatalog() throws -> [StoreFault] {
    guard let generation = try connection.scalar(CatalogSQL.getValue, ["ringGeneration"]),
      case .integer(let generation) = generation,
      RingRecord.catalogNumber(UInt64(max(0, generation))) > 0
    else { return [] }
    guard let copy = try CatalogTable.copy(on: connection),
      let written = try? CatalogTable.record(of: copy.bytes)
    else {
      return [StoreFault(.catalogTampered, "its authenticated copy is missing or can't be read")]
    }
    let found = try CatalogTable.read(on: connection)
    return CatalogDifference.all(from: written, to: found).map(StoreFault.init)
  }

  private func strays(_ shapes: [EntityShape]) throws -> [StoreFault] {
    guard case .blob(let bytes)? = try connection.scalar(CatalogSQL.getValue, ["storeID"]),
      let storeID = StoreID(bytes)
    else { return [] }
    do {
      guard let ring = try RingTable.read(storeID, on: connection) else { return [] }
      return try StrayValues(of: ring.keys, beside: shapes, on: connection).faults()
    } catch {
      guard let error = NacreError.wrap(error) as? NacreError, error.code == .ringTampered else {
        throw error
      }
      return [StoreFault(.ringTampered, error.finding ?? "its tables can't be read as a key ring")]
    }
  }

  private func integrity() throws -> [StoreFault] {
    var faults: [StoreFault] = []
    do {
      try connection.each(VerifySQL.integrity, []) { row in
        let line = row.text(at: 0)
        if line != "ok" { faults.append(StoreFault(.damaged, line)) }
      }
    } catch let error as any EngineError where error.kind == .corrupt {
      faults.append(StoreFault(.damaged, error.message))
    }
    return faults
  }

  private func foreignKeys() throws -> [StoreFault] {
    var faults: [StoreFault] = []
    do {
      try connection.each(VerifySQL.foreignKeys, []) { row in
        let (table, parent) = (row.text(at: 0), row.text(at: 1))
        let detail =
          row.int64(at: 2).counted("row of \(table) refers", "rows of \(table) refer")
          + " to no row of \(parent)"
        faults.append(StoreFault(.foreignKey, detail))
      }
    } catch let error as any EngineError where error.kind == .badStatement {
      faults.append(StoreFault(.foreignKey, error.message))
    }
    return faults
  }

  private func settings() throws -> [StoreFault] {
    // A reader can only check for a write-ahead log, because the file records no other mode.
    guard journalMode == .wal,
      case .text(let mode) = try connection.scalar(VerifySQL.journalMode), mode != "wal"
    else { return [] }
    return [StoreFault(.journalMode, "the journal mode is \(mode)")]
  }
}
