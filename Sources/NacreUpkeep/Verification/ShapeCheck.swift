import NacreEngine
import NacreStore

/// Compares one entity of the catalog with its table.
struct ShapeCheck {
  private(set) var shape: EntityShape
  private(set) var faults: [StoreFault] = []
  private let connection: any EngineConnection
  /// The table of each entity of the catalog.
  private let tables: [String: String]
  private var columns: [SQLName: EngineColumn] = [:]
  /// Whether a column that has an index has a unique one.
  private var indexes: [SQLName: Bool] = [:]

  /// Looks at each property.
  init(
    _ entity: CatalogEntity,
    _ tables: [String: String],
    _ converting: [ConversionPlace],
    on connection: any EngineConnection
  ) throws {
    shape = EntityShape(entity: entity)
    self.tables = tables
    self.connection = connection
    for column in try connection.schema.columns(of: entity.table) {
      columns[SQLName(column.name)] = column
    }
    for index in try connection.indexedColumns(of: entity.table) {
      let column = SQLName(index.column)
      indexes[column] = indexes[column] == true || index.isUnique
    }
    if !entity.isDAO { lookAtKey() }
    for property in entity.properties {
      let place = ConversionPlace(entity: entity.name, property: property.name)
      switch property.kind {
      case "value": lookAtValue(property, isConverting: converting.contains(place))
      case "child", "link": try lookAtReference(property)
      case "children", "links": try lookAtMany(property)
      case CatalogProperty.daoKind where entity.isDAO: lookAtDAO(property)
      default: fault(.badCatalog, property, "its kind is unknown")
      }
    }
    // A conversion drops the index and makes it again at its end.
    if !converting.contains(where: { $0.entity == entity.name }) { try lookAtFullText() }
  }

  private mutating func lookAtFullText() throws {
    let table = shape.entity.table
    guard let index = FullTextIndex(table: table, shape.entity.properties) else { return }
    do {
      switch try FullTextState(index, ofTable: table, on: connection) {
      case .whole: shape.fullText = index
      case .absent, .incomplete:
        let detail =
          "its full-text index, or a part of it, is gone; a use of the class makes it anew"
        fault(.missingIndex, nil, detail)
      }
    } catch let error as NacreError where error.code == .foreignSchema {
      fault(.foreignSchema, nil, error.detail ?? "")
    }
  }

  private mutating func lookAtKey() {
    let key = columns[SQLName("objectID")]
    let isKey = key?.keyPosition != nil && columns.values.count { $0.keyPosition != nil } == 1
    // A table of records has a key of its own, and a unique objectID besides.
    let isUnique = key?.isNotNull == true && indexes[SQLName("objectID")] == true
    if key?.type.uppercased() != "BLOB" || !isKey && !isUnique {
      fault(.wrongColumn, nil, "objectID is not a key of type BLOB in the table")
      shape.isReadable = key != nil
    }
  }

  /// A DAO's own statements decide the type of a column: SQLite keeps an envelope unchanged in any type.
  private mutating func lookAtDAO(_ property: CatalogProperty) {
    guard let column = property.column, columns[SQLName(column)] != nil else {
      return fault(.missingColumn, property, "the table has no column for it")
    }
    guard property.sealing != nil, property.target != nil, property.inverse != nil else {
      return fault(.badCatalog, property, "the catalog names no class or property for it")
    }
    shape.sealed.append(property)
  }

  private mutating func lookAtValue(_ property: CatalogProperty, isConverting: Bool) {
    guard ["INTEGER", "REAL", "TEXT", "BLOB"].contains(property.type) else {
      return fault(.badCatalog, property, "its type is unknown")
    }
    // During a conversion, the columns differ from those of the catalog, and the rows are partly in the old form and
    // partly in the new.
    if isConverting { return skip(property, .converting) }
    guard let sealing = property.sealing else {
      _ = has(property.column, property.type, property)
      return
    }
    guard has(property.column, "BLOB", property) else { return }
    if let index = property.indexColumn {
      guard has(index, "BLOB", property) else { return }
      let isUnique = sealing.form.index?.isUnique ?? false
      let found = indexes[SQLName(index)]
      if found == nil || isUnique && found == false {
        let kind = isUnique ? "a unique index" : "an index"
        fault(.missingIndex, property, "its column of tokens does not have \(kind)")
      }
    }
    if sealing.isHooked { return skip(property, .hooked) }
    shape.sealed.append(property)
  }

  private mutating func lookAtReference(_ property: CatalogProperty) throws {
    let isThere = has(property.column, "BLOB", property)
    guard let target = try targetTable(property), isThere else { return }
    shape.references.append((property, target))
  }

  private mutating func lookAtMany(_ property: CatalogProperty) throws {
    guard let target = try targetTable(property) else { return }
    if let inverse = property.inverse {
      // The target's own property holds the references, and is checked there.
      guard try names(of: target).contains(SQLName(inverse)) else {
        return fault(.missingColumn, property, "\(target) has no column for it")
      }
      return
    }
    guard let table = property.join, try connection.has(table) else {
      return fault(.missingTable, property, "there is no table for it")
    }
    let isOrdered = property.kind == "children"
    let needed = isOrdered ? ["owner", "position", "child"] : ["owner", "child"]
    guard try names(of: table).isSuperset(of: needed.map(SQLName.init)) else {
      return fault(.missingColumn, property, "its table lacks a column")
    }
    let owner = shape.entity.table
    let join = VerifySQL.Join(table: table, owner: owner, target: target, isOrdered: isOrdered)
    shape.joins.append((property, join))
  }

  /// Whether a property's column exists and has a given type.
  private mutating func has(
    _ column: String?,
    _ type: String,
    _ property: CatalogProperty
  ) -> Bool {
    guard let column, let found = columns[SQLName(column)] else {
      fault(.missingColumn, property, "the table has no column for it")
      return false
    }
    guard found.type.uppercased() == type else {
      fault(.wrongColumn, property, "its column does not have the type \(type)")
      return false
    }
    return true
  }

  private mutating func targetTable(_ property: CatalogProperty) throws -> String? {
    guard let target = property.target, let table = tables[target], try connection.has(table),
      try names(of: table).contains(SQLName("objectID"))
    else {
      fault(.missingTable, property, "the entity that it refers to has no table")
      return nil
    }
    return table
  }

  private func names(of table: String) throws -> Set<SQLName> {
    Set(try connection.columnNames(of: table).map(SQLName.init))
  }

  private mutating func skip(_ property: CatalogProperty, _ reason: SkippedProperty.Reason) {
    let entity = shape.entity.name
    shape.skipped.append(SkippedProperty(entity: entity, property: property.name, reason: reason))
  }

  private mutating func fault(
    _ kind: StoreFault.Kind,
    _ property: CatalogProperty?,
    _ detail: String
  ) {
    let entity = shape.entity.name
    faults.append(StoreFault(kind, entity: entity, property: property?.name, detail))
  }
}
