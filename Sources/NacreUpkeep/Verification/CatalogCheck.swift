import NacreEngine
import NacreStore
import NacreCrypto

/// Compares the catalog with the tables, and finds out which parts can be checked.
struct CatalogCheck {
  private(set) var shapes: [EntityShape] = []
  private(set) var faults: [StoreFault] = []
  private let connection: any EngineConnection
  /// The catalog to check by, if it is not the one in the file.
  private let written: CatalogRecord?
  private var tables: [String: String] = [:]
  private let converting: [ConversionPlace]

  /// Looks at every entity, or at some.
  ///
  /// - Parameters:
  ///   - connection: a connection in a transaction.
  ///   - entities: the names of the entities to look at; nil is all.
  ///   - written: the catalog as it was authenticated, if the one in the file differs.
  /// - Throws: `noSuchEntity` for a name that the catalog does not have.
  init(
    _ connection: any EngineConnection,
    entities: [String]? = nil,
    by written: CatalogRecord? = nil
  ) throws {
    self.connection = connection
    self.written = written
    converting = try RotationJournal.unfinished(on: connection).compactMap(\.place)
    var names: [String] = []
    for (name, table) in try CatalogCheck.entities(written, on: connection) {
      guard let name else {
        faults.append(StoreFault(.badCatalog, CatalogTable.misfit("name")))
        continue
      }
      names.append(name)
      tables[name] = table
    }
    if let unknown = entities?.first(where: { !names.contains($0) }) {
      throw NacreError(.noSuchEntity, detail: unknown)
    }
    for name in entities ?? names { try look(at: name) }
  }

  /// The name and table of each entity; the name is nil if it is not text.
  private static func entities(
    _ written: CatalogRecord?,
    on connection: any EngineConnection
  ) throws -> [(String?, String)] {
    if let written {
      return written.entities.compactMap { row in
        guard case .text(let name) = row[0].value, case .text(let table) = row[1].value else {
          return nil
        }
        return (name, table)
      }
    }
    var entities: [(String?, String)] = []
    try connection.each(CatalogSQL.selectEntities, []) {
      entities.append(($0.string(at: 0), $0.text(at: 1)))
    }
    return entities
  }

  /// Adds columns with a DAO's values that the catalog does not know.
  mutating func add(_ strays: [DAOStray]) {
    for stray in strays {
      let noted: DAOColumn
      switch stray.finding {
      case .values(let place): noted = stray.noted(as: place)
      case .outOfReach(let detail):
        let (table, column) = (stray.column.table, stray.column.column)
        faults.append(StoreFault(.strayValues, entity: table, property: column, detail))
        continue
      }
      let entity = CatalogEntity(noted)
      if let index = shapes.firstIndex(where: { $0.entity.name.hasSameBytes(as: entity.name) }) {
        shapes[index].sealed += entity.sealed
      } else {
        shapes.append(EntityShape(entity: entity, sealed: entity.sealed))
      }
    }
  }

  private mutating func look(at name: String) throws {
    guard let entity = try readable(name), !entity.isGone else { return }
    let check = try ShapeCheck(entity, tables, converting, on: connection)
    shapes.append(check.shape)
    faults += check.faults
  }

  private mutating func readable(_ name: String) throws -> CatalogEntity? {
    do {
      return try written.map { try CatalogEntity.named(name, in: $0, on: connection) }
        ?? CatalogEntity.named(name, on: connection)
    } catch let error as NacreError where error.code == .schemaMismatch {
      let isThere = try tables[name].map { try connection.has($0) } ?? false
      let kind = isThere ? StoreFault.Kind.badCatalog : .missingTable
      faults.append(StoreFault(kind, entity: name, error.detail ?? ""))
      return nil
    }
  }
}
