import NacreEngine
import NacreStore
import NacreCrypto

// The faults outside the cells.

extension Verification {
  /// Notes the faults outside the cells, and returns the entities to walk through; nil if the store's own tables are
  /// not Nacre's, because then nothing can be read from them.
  func begin() throws -> [EntityShape]? {
    try store.read { database in
      let connection = database.connection
      let objects = try OwnTables.foreignObjects(on: connection)
      report.faults += objects.map { StoreFault(.foreignSchema, $0.words) }
      if objects.contains(where: \.isOwnTable) { return nil }
      report.faults += try RingCheck.slots(on: connection)
      var catalog = try catalogCheck(on: database)
      let isSealed = catalog.shapes.contains { !$0.sealed.isEmpty }
      var ringFaults: [StoreFault] = []
      if isSealed || store.keys.isUnlocked {
        ringFaults = try RingCheck.faults(of: store, on: database)
        isRingSound = ringFaults.isEmpty
      }
      catalog.add(try strays(on: database))
      report.faults += catalog.faults + ringFaults
      report.skipped = catalog.shapes.flatMap(\.skipped)
      for shape in catalog.shapes where shape.isReadable {
        for property in shape.sealed {
          tallies["\(shape.entity.name).\(property.name)"] = PropertyVerification(
            entity: shape.entity.name,
            property: property.name
          )
        }
      }
      return catalog.shapes
    }
  }

  /// Compares the catalog with the tables; if somebody has changed the catalog, uses the version that was
  /// authenticated.
  private func catalogCheck(on database: Database) throws -> CatalogCheck {
    let connection = database.connection
    var written: CatalogRecord?
    if store.keys.isUnlocked, try RingCheck.faults(of: store, on: database).isEmpty {
      switch try database.catalogTrust() {
      case .authentic, .former: break
      case .unmarked:
        let detail = "it has no MAC yet, so its entities and properties are taken as they are"
        report.notices.append(StoreFault(.catalogUnmarked, detail))
      case .lost(let detail): report.faults.append(StoreFault(.catalogTampered, detail))
      case .changed(let record):
        written = record
        let found = try CatalogTable.read(on: connection)
        report.faults += CatalogDifference.all(from: record, to: found).map(StoreFault.init)
      }
    }
    do {
      return try CatalogCheck(connection, entities: options.entities, by: written)
    } catch let error as NacreError where error.code == .noSuchEntity && written != nil {
      return try CatalogCheck(connection, entities: options.entities)
    }
  }

  /// Notes values under the ring's keys in columns that the catalog does not call sealed, table by table, and nils that
  /// are not sealed.
  func lookElsewhere(_ shapes: [EntityShape]) throws {
    for tally in report.properties where tally.unsealedNilCount > 0 {
      report.notices.append(
        StoreFault(
          .unsealedNils,
          entity: tally.entity,
          property: tally.property,
          tally.unsealedNilCount.counted("cell is NULL; it", "cells are NULL; they")
            + " may be older than hidesNil"
        )
      )
    }
    guard report.isComplete, store.keys.isUnlocked else { return }
    let tables = options.entities.map { names in
      Set(shapes.filter { names.contains($0.entity.name) }.map { SQLName($0.entity.table) })
    }
    let (keys, named) = (try store.keys.unlocked().keys, report.faults)
    let strays = try store.read { database in
      try StrayValues(of: keys, beside: shapes, on: database.connection)
        .faults(in: tables, but: named)
    }
    report.faults += strays
  }

  /// The columns with a DAO's values that the catalog does not know; empty for a locked store.
  private func strays(on database: Database) throws -> [DAOStray] {
    guard try database.knowsDAO(), let ring = try session(on: database)?.ring else {
      return []
    }
    let search = try DAOSearch(naming: ring.keys, ring: ring, on: database.connection)
    return try search.strays().filter { stray in
      let name = CatalogEntity.daoName(ofTable: stray.column.table)
      return options.entities.map { $0.contains(name) } ?? true
    }
  }
}
