import NacreEngine

/// The definitions and statements of the store's own tables (Vectors/FORMAT.md).
package enum CatalogSQL {
  static func createStore(_ dialect: any Dialect) -> String {
    let tables = [
      createValues(dialect), createSlot(dialect), createKey(dialect), createEntity(dialect),
      createProperty(dialect), createRotation(dialect),
    ]
    return (dialect.preparation + tables).joined(separator: ";\n")
  }

  static func createValues(_ dialect: any Dialect) -> String {
    """
    CREATE TABLE "nacre_store" ("name" \(dialect.type(.text)) NOT NULL PRIMARY KEY, \
    "value"\(dialect.anyType))\
    \(dialect.keyedTableEnding)
    """
  }
  static func createSlot(_ dialect: any Dialect) -> String {
    let (text, blob) = (dialect.type(.text), dialect.type(.blob))
    return """
      CREATE TABLE "nacre_slot" ("id"\(dialect.integerKey), "kind" \(text) NOT NULL, \
      "parameters" \(text) NOT NULL, "sealed" \(blob) NOT NULL)
      """
  }
  static func createKey(_ dialect: any Dialect) -> String {
    let (integer, blob) = (dialect.type(.integer), dialect.type(.blob))
    return """
      CREATE TABLE "nacre_key" ("id"\(dialect.integerKey), "purpose" \(integer) NOT NULL, \
      "suite" \(integer) NOT NULL, "state" \(integer) NOT NULL, "created" \(integer) NOT NULL, \
      "sealed" \(blob), "check" \(blob), "seals" \(integer) NOT NULL DEFAULT 0)
      """
  }
  static func createEntity(_ dialect: any Dialect) -> String {
    let text = dialect.type(.text)
    return """
      CREATE TABLE "nacre_entity" ("name" \(text) NOT NULL PRIMARY KEY, "table" \(text) NOT NULL, \
      "version" \(dialect.type(.integer)) NOT NULL)\(dialect.keyedTableEnding)
      """
  }
  /// Returns the definition of the table of properties, with the first `additionCount` of the
  /// columns that later versions added.
  static func createProperty(
    _ dialect: any Dialect,
    _ additionCount: Int = propertyAdditions.count
  ) -> String {
    let additions = propertyAdditions.prefix(additionCount).map { "\(definition($0, dialect)), " }
    let (integer, text) = (dialect.type(.integer), dialect.type(.text))
    return """
      CREATE TABLE "nacre_property" ("entity" \(text) NOT NULL, "name" \(text) NOT NULL, \
      "column" \(text), "type" \(text) NOT NULL, "sealed" \(integer) NOT NULL, \
      "kind" \(text) NOT NULL, "target" \(text), "join" \(text), "inverse" \(text), \
      \(additions.joined())PRIMARY KEY ("entity", "name"))\
      \(dialect.keyedTableEnding)
      """
  }
  /// Returns the definition of the journal's table; in its first version there was no MAC.
  static func createRotation(_ dialect: any Dialect, hasMAC: Bool = true) -> String {
    let (integer, text) = (dialect.type(.integer), dialect.type(.text))
    return """
      CREATE TABLE "nacre_rotation" ("id"\(dialect.integerKey), "kind" \(text) NOT NULL, \
      "from" \(text) NOT NULL, "to" \(text) NOT NULL, "entity" \(text), "property" \(text), \
      "cursor" \(dialect.type(.blob)), "phase" \(text) NOT NULL, \
      "done" \(integer) NOT NULL DEFAULT 0, "total" \(integer) NOT NULL DEFAULT 0, \
      "failed" \(integer) NOT NULL DEFAULT 0, "started" \(integer) NOT NULL, \
      "updated" \(integer) NOT NULL, "finished" \(integer)\
      \(hasMAC ? ", \"mac\" \(dialect.type(.blob))" : ""))
      """
  }

  /// The columns of `nacre_property` that the first stores of format 1 lack.
  static let propertyAdditions: [(name: String, storageClass: StorageClass)] = [
    ("bits", .integer), ("normalizer", .text), ("unique", .integer), ("hidesNil", .integer),
    ("padding", .text), ("suite", .integer), ("optional", .integer), ("hooked", .integer),
    ("hidden", .integer), ("filled", .integer),
  ]

  private static func definition(
    _ addition: (name: String, storageClass: StorageClass),
    _ dialect: any Dialect
  ) -> String {
    "\(SQLText.name(addition.name)) \(dialect.type(addition.storageClass))"
  }

  /// Returns the statements that add the columns which later versions added to the store's own
  /// tables; none if no column is missing.
  ///
  /// `present` and `journal` are the columns of the two tables in the file; they are empty for a
  /// missing table.
  static func addMissing(
    _ present: Set<String>,
    journal: Set<String>,
    _ dialect: any Dialect
  ) -> [String] {
    var statements = propertyAdditions.filter { !present.contains($0.name) }
      .map { "ALTER TABLE \"nacre_property\" ADD COLUMN \(definition($0, dialect))" }
    if journal.isEmpty {
      statements.append(createRotation(dialect))
    } else if !journal.contains("mac") {
      statements.append(
        "ALTER TABLE \"nacre_rotation\" ADD COLUMN \"mac\" \(dialect.type(.blob))"
      )
    }
    return statements
  }

  /// Returns the SELECT of whether there are triggers that belong to no full-text index, or tables
  /// with foreign keys that belong neither to an entity nor to a relationship.
  static func hasTriggersOrReferences(_ dialect: any Dialect) -> String {
    let suffixes = FullTextNames.triggerSuffixes.map { "\"table\" || '\($0)'" }
    let own = suffixes.map { "SELECT \($0) FROM \"nacre_entity\"" }.joined(separator: " UNION ALL ")
    return dialect.hasTriggers(
      where: "\"name\" NOT IN (\(own))",
      orReferencesInTablesWhere: "\"name\" NOT IN (\(entityTables))"
    )
  }
  /// Selects the tables of entities and relationships; without those of DAOs, which the catalog
  /// has, too.
  static let entityTables = """
    SELECT "table" FROM "nacre_entity" WHERE "name" <> 'dao:' || "table" \
    UNION ALL SELECT "join" FROM "nacre_property" WHERE "join" IS NOT NULL
    """

  // MARK: Store

  package static let getValue = "SELECT \"value\" FROM \"nacre_store\" WHERE \"name\" = ?1"
  /// Selects the ring's generation, which every transaction needs.
  static let ringGeneration =
    "SELECT \"value\" FROM \"nacre_store\" WHERE \"name\" = 'ringGeneration'"
  package static func setValue(_ dialect: any Dialect) -> String {
    dialect.replace(in: "\"nacre_store\"", ["\"name\"", "\"value\""], keyCount: 1)
  }
  static let deleteValue = "DELETE FROM \"nacre_store\" WHERE \"name\" = ?1"

  // MARK: Entities

  /// The entity whose rows are in the table of parameter 1, in any case.
  package static let entityOfTable =
    "SELECT \"name\" FROM \"nacre_entity\" WHERE lower(\"table\") = lower(?1)"
  package static let deleteProperty =
    "DELETE FROM \"nacre_property\" WHERE \"entity\" = ?1 AND \"name\" = ?2"
  package static let deleteProperties = "DELETE FROM \"nacre_property\" WHERE \"entity\" = ?1"
  package static let deleteEntity = "DELETE FROM \"nacre_entity\" WHERE \"name\" = ?1"
  package static let selectEntity =
    "SELECT \"table\", \"version\" FROM \"nacre_entity\" WHERE \"name\" = ?1"
  package static func insertEntity(_ dialect: any Dialect) -> String {
    let columns = ["name", "table", "version"].map(SQLText.name)
    return dialect.replace(in: "\"nacre_entity\"", columns, keyCount: 1)
  }
  package static let selectEntities =
    "SELECT \"name\", \"table\", \"version\" FROM \"nacre_entity\" ORDER BY \"name\""
  /// Selects all columns, which are read by name, because a store that is only read may lack the
  /// later ones.
  static let selectProperties =
    "SELECT * FROM \"nacre_property\" WHERE \"entity\" = ?1 ORDER BY \"name\""
  package static func insertProperty(_ dialect: any Dialect) -> String {
    let columns = [
      "entity", "name", "column", "type", "sealed", "kind", "target", "join", "inverse", "bits",
      "normalizer", "unique", "hidesNil", "padding", "suite", "optional", "hooked", "hidden",
      "filled",
    ]
    return dialect.replace(in: "\"nacre_property\"", columns.map(SQLText.name), keyCount: 2)
  }
  /// Every relationship whose target is the entity in parameter 1; these may refer to its objects.
  package static let selectReferrers = """
    SELECT p."entity", e."table", p."name", p."column", p."kind", p."join", p."inverse" \
    FROM "nacre_property" p JOIN "nacre_entity" e ON e."name" = p."entity" WHERE p."target" = ?1 \
    AND p."kind" <> 'dao'
    """
}

extension CatalogSQL {
  // MARK: Under the MAC
  /// All cells of the catalog.
  static let selectWholeEntities = "SELECT * FROM \"nacre_entity\""
  static let selectWholeProperties = "SELECT * FROM \"nacre_property\""
  /// Empties the catalog before it is written again from its copy.
  static let clear = "DELETE FROM \"nacre_property\"; DELETE FROM \"nacre_entity\""
  /// Clears the mark that every row of a property was sealed; the parameters are entity and name.
  package static let clearFilled =
    "UPDATE \"nacre_property\" SET \"filled\" = NULL WHERE \"entity\" = ?1 AND \"name\" = ?2"

  /// The columns of all full-text indexes, each with its table and tokenizer.
  static let selectFullText = """
    SELECT e."table", p."column", p."normalizer" FROM "nacre_property" p \
    JOIN "nacre_entity" e ON e."name" = p."entity" WHERE p."sealed" = 0 AND p."kind" = 'value' \
    AND p."normalizer" IS NOT NULL AND p."column" IS NOT NULL AND p."hidden" IS NULL ORDER BY 1, 2
    """
  /// Takes a property out of the full-text index; the parameters are entity and name.
  package static let clearFullText = """
    UPDATE "nacre_property" SET "normalizer" = NULL WHERE "entity" = ?1 AND "name" = ?2 \
    AND "sealed" = 0
    """

  /// The table and column of every sealed property, and whether it has a blind index.
  static let selectSealed = """
    SELECT e."table", p."column", p."bits" IS NOT NULL FROM "nacre_property" p \
    JOIN "nacre_entity" e ON e."name" = p."entity" WHERE p."sealed" <> 0
    """
}
