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
  private var converting: Set<String> = []
  private var columns: [SQLName: Column] = [:]
  private var indexes: [SQLName: Bool] = [:]

  private struct Column {
    var type: String
    var refusesNull: Bool
    var isKey: Bool
  }

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
    for place in try RotationJournal.unfinished(on: connection).compactMap(\.place) {
      converting.insert("\(place.entity).\(place.property)")
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
        fault(.strayValues, stray.column.table, stray.column.column, detail)
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
    try read(entity.table)
    var shape = EntityShape(entity: entity)
    if !entity.isDAO { lookAtKey(&shape) }
    for property in entity.properties {
      switch property.kind {
      case "value": lookAtValue(property, &shape)
      case "child", "link": try lookAtReference(property, &shape)
      case "children", "links": try lookAtMany(property, &shape)
      case CatalogProperty.daoKind where entity.isDAO: lookAtDAO(property, &shape)
      default: fault(.badCatalog, name, property.name, "its kind is unknown")
      }
    }
    shapes.append(shape)
  }

  private mutating func lookAtKey(_ shape: inout EntityShape) {
    let key = columns[SQLName("objectID")]
    let isKey = key?.isKey == true && columns.values.filter(\.isKey).count == 1
    // A table of records has a key of its own, and a unique objectID besides.
    let isUnique = key?.refusesNull == true && indexes[SQLName("objectID")] == true
    if key?.type != "BLOB" || !isKey && !isUnique {
      let detail = "objectID is not a key of type BLOB in the table"
      fault(.wrongColumn, shape.entity.name, nil, detail)
      shape.isReadable = key != nil
    }
  }

  /// A DAO's own statements decide the type of a column: SQLite keeps an envelope unchanged in any type.
  private mutating func lookAtDAO(_ property: CatalogProperty, _ shape: inout EntityShape) {
    guard let column = property.column, columns[SQLName(column)] != nil else {
      let detail = "the table has no column for it"
      return fault(.missingColumn, shape.entity.name, property.name, detail)
    }
    guard property.sealing != nil, property.target != nil, property.inverse != nil else {
      return fault(
        .badCatalog,
        shape.entity.name,
        property.name,
        "the catalog names no class or property for it"
      )
    }
    shape.sealed.append(property)
  }

  private mutating func readable(_ name: String) throws -> CatalogEntity? {
    do {
      return try written.map { try CatalogEntity.named(name, in: $0, on: connection) }
        ?? CatalogEntity.named(name, on: connection)
    } catch let error as NacreError where error.code == .schemaMismatch {
      let isThere = try tables[name].map { try connection.has($0) } ?? false
      fault(isThere ? .badCatalog : .missingTable, name, nil, error.detail ?? "")
      return nil
    }
  }

  private mutating func read(_ table: String) throws {
    columns = [:]
    indexes = [:]
    for column in try connection.schema.columns(of: table) {
      columns[SQLName(column.name)] = Column(
        type: column.type.uppercased(),
        refusesNull: column.isNotNull,
        isKey: column.keyPosition != nil
      )
    }
    for index in try connection.indexedColumns(of: table) {
      let column = SQLName(index.column)
      indexes[column] = indexes[column] == true || index.isUnique
    }
  }

  private mutating func fault(
    _ kind: StoreFault.Kind,
    _ entity: String,
    _ property: String?,
    _ detail: String
  ) {
    faults.append(StoreFault(kind, entity: entity, property: property, detail))
  }

  // MARK: - Properties

  /// Whether a property's column exists and has a given type.
  private mutating func has(
    _ column: String?,
    _ type: String,
    _ property: CatalogProperty,
    _ entity: CatalogEntity
  ) -> Bool {
    guard let column, let found = columns[SQLName(column)] else {
      fault(.missingColumn, entity.name, property.name, "the table has no column for it")
      return false
    }
    guard found.type == type else {
      fault(.wrongColumn, entity.name, property.name, "its column does not have the type \(type)")
      return false
    }
    return true
  }

  private mutating func lookAtValue(_ property: CatalogProperty, _ shape: inout EntityShape) {
    let entity = shape.entity
    guard ["INTEGER", "REAL", "TEXT", "BLOB"].contains(property.type) else {
      return fault(.badCatalog, entity.name, property.name, "its type is unknown")
    }
    if converting.contains("\(entity.name).\(property.name)") {
      // During a conversion, the columns differ from those of the catalog, and the rows are partly in the old form and
      // partly in the new.
      return skip(property, .converting, &shape)
    }
    guard let sealing = property.sealing else {
      _ = has(property.column, property.type, property, entity)
      return
    }
    guard has(property.column, "BLOB", property, entity) else { return }
    if let index = property.indexColumn {
      guard has(index, "BLOB", property, entity) else { return }
      let isUnique = sealing.form.index?.isUnique ?? false
      let found = indexes[SQLName(index)]
      if found == nil || isUnique && found == false {
        let kind = isUnique ? "a unique index" : "an index"
        fault(
          .missingIndex,
          entity.name,
          property.name,
          "its column of tokens does not have \(kind)"
        )
      }
    }
    if sealing.isHooked { return skip(property, .hooked, &shape) }
    shape.sealed.append(property)
  }

  private func skip(
    _ property: CatalogProperty,
    _ reason: SkippedProperty.Reason,
    _ shape: inout EntityShape
  ) {
    let entity = shape.entity.name
    shape.skipped.append(
      SkippedProperty(entity: entity, property: property.name, reason: reason)
    )
  }

  private mutating func lookAtReference(
    _ property: CatalogProperty,
    _ shape: inout EntityShape
  ) throws {
    let isThere = has(property.column, "BLOB", property, shape.entity)
    guard let target = try targetTable(property, shape.entity), isThere else { return }
    shape.references.append((property, target))
  }

  private mutating func lookAtMany(
    _ property: CatalogProperty,
    _ shape: inout EntityShape
  ) throws {
    let entity = shape.entity
    guard let target = try targetTable(property, entity) else { return }
    if let inverse = property.inverse {
      // The target's own property holds the references, and is checked there.
      guard try names(of: target).contains(SQLName(inverse)) else {
        return fault(.missingColumn, entity.name, property.name, "\(target) has no column for it")
      }
      return
    }
    guard let join = property.join, try connection.has(join) else {
      return fault(.missingTable, entity.name, property.name, "there is no table for it")
    }
    let isOrdered = property.kind == "children"
    let needed = isOrdered ? ["owner", "position", "child"] : ["owner", "child"]
    guard try names(of: join).isSuperset(of: needed.map(SQLName.init)) else {
      return fault(.missingColumn, entity.name, property.name, "its table lacks a column")
    }
    shape.joins.append(
      (
        property,
        VerifySQL.Join(table: join, owner: entity.table, target: target, isOrdered: isOrdered)
      )
    )
  }

  private mutating func targetTable(
    _ property: CatalogProperty,
    _ entity: CatalogEntity
  ) throws -> String? {
    guard let target = property.target, let table = tables[target], try connection.has(table),
      try names(of: table).contains(SQLName("objectID"))
    else {
      fault(.missingTable, entity.name, property.name, "the entity that it refers to has no table")
      return nil
    }
    return table
  }

  private func names(of table: String) throws -> Set<SQLName> {
    Set(try connection.columnNames(of: table).map(SQLName.init))
  }
}
