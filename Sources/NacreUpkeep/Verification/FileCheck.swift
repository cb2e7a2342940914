import NacreEngine
import NacreStore
import NacreCrypto

/// Finds the faults of a store's file that show without a key.
struct FileCheck {
  let connection: any EngineConnection
  /// Where the store was opened, with the settings that were set since.
  let home: any EngineHome

  func faults() throws -> [StoreFault] {
    var faults = try connection.schema.damage().map { StoreFault(.damaged, $0) }
    // In a damaged file, other statements may find anything.
    if !faults.isEmpty { return faults }
    let objects = try OwnTables.foreignObjects(on: connection)
    faults += objects.map { StoreFault(.foreignSchema, $0.words) }
    if objects.contains(where: \.isOwnTable) { return faults }
    faults += try RingCheck.slots(on: connection)
    faults += try foreignKeys()
    let catalog = try CatalogCheck(connection)
    faults += catalog.faults
    faults += try copyOfCatalog()
    faults += try strays(catalog.shapes)
    if let fault = try home.journalFault(on: connection) {
      faults.append(StoreFault(.journalMode, fault))
    }
    faults += try RotationJournal.unfinished(on: connection).map { work in
      StoreFault(
        .unfinished,
        entity: work.entity,
        property: work.place?.property,
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

  private func foreignKeys() throws -> [StoreFault] {
    do {
      return try connection.schema.danglingReferences().map { found in
        let detail =
          found.count.counted("row of \(found.table) refers", "rows of \(found.table) refer")
          + " to no row of \(found.target)"
        return StoreFault(.foreignKey, detail)
      }
    } catch let error as any EngineError where error.kind == .badStatement {
      return [StoreFault(.foreignKey, error.message)]
    }
  }
}
