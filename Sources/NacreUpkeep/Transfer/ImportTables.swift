import NacreEngine
import NacreStore

/// Creates the tables that the lines need and the store lacks, and compares those that it has.
///
/// Nothing in the lines is used as SQL: names are quoted, and types are one of four words.
struct ImportTables {
  private let database: Database
  private let header: TransferHeader
  private var connection: any EngineConnection { database.connection }

  init(_ header: TransferHeader, on database: Database) {
    self.header = header
    self.database = database
  }

  /// - Throws: ``ImportFault`` for a table that can't be created, or that the store has in another form.
  func prepare() throws {
    try refuseTwins(header.entities.map(\.name), "an entity")
    try refuseTwins(header.joins.map(\.table), "a relationship's table")
    var missing: [TransferEntity] = []
    for entity in header.entities {
      if entity.name == CatalogEntity.daoName(ofTable: entity.table) {
        throw fault("its name is that of a DAO's table, and such a table can't be imported", entity)
      }
      if try connection.scalar(CatalogSQL.selectEntity, [.text(entity.name)]) == nil {
        missing.append(entity)
      } else {
        try compare(entity)
      }
    }
    for entity in missing { try check(entity) }
    // The catalog comes first, because tables refer to each other.
    for entity in missing {
      try database.changeCatalog(
        CatalogSQL.insertEntity(connection.dialect),
        [.text(entity.name), .text(entity.table), .integer(entity.version)]
      )
    }
    let references = try missing.flatMap { try make($0) }
    for statement in references { try connection.execute(statement) }
    for entity in missing { try makeJoins(entity) }
  }

  private func refuseTwins(_ names: [String], _ what: String) throws {
    guard Set(names.map(SQLName.init)).count == names.count else {
      throw ImportFault("\(what) comes twice in the first line")
    }
  }

  // MARK: What is there

  private func compare(_ entity: TransferEntity) throws {
    let stored = try CatalogEntity.named(entity.name, on: connection)
    if stored.isDAO { throw fault("in the store it is the table of a DAO", entity) }
    let types = Dictionary(
      try connection.schema.columns(of: stored.table).map { (SQLName($0.name), $0.type) }
    ) { $1 }
    for column in entity.columns {
      guard let type = types[SQLName(column.name)] else {
        if try addPosition(column, stored, entity) { continue }
        throw fault("the store has no column for it", entity, column.name)
      }
      guard type.uppercased() == column.type.uppercased() else {
        throw fault("its column has another type in the store", entity, column.name)
      }
    }
    for property in entity.properties {
      guard let other = stored.properties.first(where: { $0.name == property.name }) else {
        throw fault("the store has no such property", entity, property.name)
      }
      guard property.kind == other.kind, property.type == other.type,
        isSame(property.column, other.column), property.target == other.target,
        (property.join == nil) == (other.join == nil), isSame(property.inverse, other.inverse),
        property.isSealed == other.isSealed,
        property.sealing?.isHooked == other.sealing?.isHooked
      else { throw fault("the store keeps it in another form", entity, property.name) }
    }
    try noteMissing(entity, stored)
    try checkColumns(entity)
    // This holds whether the lines call them properties or not: an imported blind index would hide its object from
    // searches.
    let hidden = Set(stored.properties.compactMap { $0.indexColumn.map(SQLName.init) })
    if let column = entity.columns.first(where: { hidden.contains(SQLName($0.name)) }) {
      throw fault("the column is a blind index, which the store makes itself", entity, column.name)
    }
  }

  /// Returns whether both are the name of the same column, or both are nil.
  private func isSame(_ column: String?, _ other: String?) -> Bool {
    column.map(SQLName.init) == other.map(SQLName.init)
  }

  /// Adds a column for positions in a list, which a store has only after a version that keeps them has used its class.
  private func addPosition(
    _ column: TransferSQL.Column,
    _ stored: CatalogEntity,
    _ entity: TransferEntity
  ) throws -> Bool {
    let isPosition = stored.properties.contains { property in
      property.kind == "link"
        && isSame(property.column.map(CatalogProperty.positionColumn), column.name)
    }
    guard isPosition, column.type == "INTEGER" else { return false }
    try connection.execute(
      MigrationSQL.addColumn(
        column.name,
        to: stored.table,
        type: connection.dialect.type(.integer)
      )
    )
    return true
  }

  /// Clears the mark that all nils of a sealed property are sealed, if the lines have no column for it: objects without
  /// a value then hold NULL in it.
  private func noteMissing(_ entity: TransferEntity, _ stored: CatalogEntity) throws {
    for property in stored.properties where property.isFilled {
      if entity.columns.contains(where: { isSame($0.name, property.column) }) { continue }
      try database.changeCatalog(
        CatalogSQL.clearFilled,
        [.text(entity.name), .text(property.name)]
      )
    }
  }

  // MARK: What is missing

  private func check(_ entity: TransferEntity) throws {
    try check(name: entity.name, entity)
    try checkTable(entity.table, entity)
    guard header.entities.count(where: { SQLName($0.table) == SQLName(entity.table) }) == 1 else {
      throw fault("another entity has the same table", entity)
    }
    try checkColumns(entity)
    for column in entity.columns {
      try check(name: column.name, entity)
      guard ["INTEGER", "REAL", "TEXT", "BLOB"].contains(column.type) else {
        throw fault("the type of its column is unknown", entity, column.name)
      }
    }
    for property in entity.properties { try check(property, entity) }
    if Set(entity.properties.compactMap(\.fullText)).count > 1 {
      throw fault("its full-text index has more than one tokenizer", entity)
    }
    if let index = FullTextIndex(table: entity.table, entity.properties) {
      for table in index.tables { try checkTable(table, entity) }
    }
    for index in entity.indexes {
      guard entity.columns.contains(where: { isSame($0.name, index.column) }) else {
        throw fault("an index is on no column", entity, index.column)
      }
    }
  }

  /// Throws if a column or property comes twice, or if a column has a name that the store uses itself.
  private func checkColumns(_ entity: TransferEntity) throws {
    let hidden = entity.properties.compactMap(\.indexColumn) + ["objectID", VersionSQL.name]
    let names = (entity.columns.map(\.name) + hidden).map(SQLName.init)
    guard Set(names).count == names.count else { throw fault("a column comes twice", entity) }
    let properties = entity.properties.map { SQLName($0.name) }
    guard Set(properties).count == properties.count else {
      throw fault("a property comes twice", entity)
    }
  }

  private func check(_ property: CatalogProperty, _ entity: TransferEntity) throws {
    try check(name: property.name, entity)
    let column = entity.columns.first { isSame($0.name, property.column) }
    if let name = property.column, column == nil {
      throw fault("there is no column \(name.count > 64 ? "" : name)", entity, property.name)
    }
    switch property.kind {
    case "value":
      let type = property.isSealed ? "BLOB" : property.type
      guard let column, column.type == type, property.target == nil,
        ["INTEGER", "REAL", "TEXT", "BLOB"].contains(property.type)
      else { throw fault("its column does not fit it", entity, property.name) }
      if property.fullText != nil, property.type != "TEXT" || property.isSealed || !canHold(column)
      {
        throw fault("a full-text index can't have it", entity, property.name)
      }
      if property.isSealed, column.isNotNull || column.preset != nil {
        throw fault("a sealed column has no default and may be NULL", entity, property.name)
      }
    case "child", "link":
      guard let column, column.type == "BLOB", !property.isSealed else {
        throw fault("its column does not fit it", entity, property.name)
      }
      _ = try table(of: property, entity)
    case "children", "links":
      guard property.column == nil, (property.join == nil) != (property.inverse == nil) else {
        throw fault("a to-many relationship has one table or one inverse", entity, property.name)
      }
      _ = try table(of: property, entity)
    default: throw fault("its kind is unknown", entity, property.name)
    }
  }

  /// Whether the engine has full-text indexes, and one can have such a column.
  private func canHold(_ column: TransferSQL.Column) -> Bool {
    connection.dialect.fullText?.canHold(column: column.name) ?? false
  }

  private func check(name: String, _ entity: TransferEntity) throws {
    guard !name.isEmpty, name.utf8.count <= 1000, !name.utf8.contains(where: { $0 < 0x20 }) else {
      throw fault("a name is empty, too long, or has control characters", entity)
    }
  }

  private func checkTable(_ table: String, _ entity: TransferEntity) throws {
    try check(name: table, entity)
    guard !SQLText.isReserved(table: table) else {
      throw fault("a table has a name that an application's table can't have", entity)
    }
    let names = try connection.schema.objectNames()
    guard !names.contains(where: { SQLName($0) == SQLName(table) }) else {
      throw fault("the store has a table of that name, and its catalog does not", entity)
    }
  }

  /// The table of the entity that a relationship refers to, which the store has or is about to have.
  private func table(of property: CatalogProperty, _ entity: TransferEntity) throws -> String {
    let target = property.target
    let stored = try target.flatMap {
      try connection.scalar(CatalogSQL.selectEntity, [.text($0)])
    }
    if case .text(let table)? = stored { return table }
    if let described = header.entities.first(where: { $0.name == target }) {
      return described.table
    }
    throw fault(
      "neither the lines nor the store have the entity that it refers to",
      entity,
      property.name
    )
  }

  /// Makes the table of an entity, and returns the statements to run when all tables are there.
  private func make(_ entity: TransferEntity) throws -> [String] {
    var columns: [TransferSQL.Column] = []
    for var column in entity.columns {
      let property = entity.properties.first { isSame($0.column, column.name) }
      column.comparesDecimals = column.comparesDecimals && column.type == "TEXT"
      column.index = entity.indexes.first { isSame($0.column, column.name) }?.isUnique
      if let property, property.kind != "value" {
        column.target = try table(of: property, entity)
        column.index = false
      }
      columns.append(column)
      guard let property, let name = property.indexColumn else { continue }
      let isUnique = property.sealing?.form.index?.isUnique ?? false
      columns.append(TransferSQL.Column(name: name, type: "BLOB", index: isUnique))
    }
    for statement in TransferSQL.createTable(entity.table, columns, connection.dialect) {
      try connection.execute(statement)
    }
    for var property in entity.properties {
      // Every line has a value for it, and its nils are sealed.
      property.isFilled =
        property.sealing.map { $0.form.hidesNil && !$0.isHooked } ?? false
        && property.isOptional == true
      try database.changeCatalog(
        CatalogSQL.insertProperty(connection.dialect),
        property.arguments(entity: entity.name)
      )
    }
    try FullTextIndex(table: entity.table, entity.properties)?.make(on: connection)
    return TransferSQL.addReferences(entity.table, columns, connection.dialect)
  }

  private func makeJoins(_ entity: TransferEntity) throws {
    for property in entity.properties {
      guard let join = property.join else { continue }
      try checkTable(join, entity)
      let statements = TableSQL.createJoinTable(
        join,
        owner: entity.table,
        target: try table(of: property, entity),
        isOrdered: property.kind == "children",
        hasTargets: true,
        connection.dialect
      )
      for statement in statements { try connection.execute(statement) }
    }
  }

  private func fault(
    _ detail: String,
    _ entity: TransferEntity,
    _ property: String? = nil
  ) -> ImportFault {
    ImportFault(detail, entity: entity.name, property: property)
  }
}
