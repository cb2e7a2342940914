import NacreCore

/// One value of a key-value store.
final class StoredItem: Entity {
  var business = "" { didSet { entityState.markChanged(0) } }
  var name = "" { didSet { entityState.markChanged(1) } }
  /// The value, which the store's key ring seals; if the caller's own method sealed it first, this is that method's
  /// result.
  var value = Value.null { didSet { entityState.markChanged(2) } }
  /// Whether the caller's own method sealed the value.
  var isCustom = false { didSet { entityState.markChanged(3) } }
  var isPurgeable = false { didSet { entityState.markChanged(4) } }
  /// About how many bytes the value takes.
  var size = 0 { didSet { entityState.markChanged(5) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    business = try row.read(at: 0)
    name = try row.read(at: 1)
    value = try row.open(at: 2)
    isCustom = try row.read(at: 3)
    isPurgeable = try row.read(at: 4)
    size = try row.read(at: 5)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(business, at: 0)
    try row.bind(name, at: 1)
    try row.seal(value, at: 2)
    try row.bind(isCustom, at: 3)
    try row.bind(isPurgeable, at: 4)
    try row.bind(size, at: 5)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(StoredItem.self, name: "KeyValue", table: "KeyValues")
    schema.add("business", \StoredItem.business)
    schema.add("name", \StoredItem.name, column: ColumnOptions(isIndexed: true))
    schema.add("value", \StoredItem.value, sealed: SealedOptions())
    schema.add("isCustom", \StoredItem.isCustom)
    schema.add("isPurgeable", \StoredItem.isPurgeable)
    schema.add("size", \StoredItem.size)
    return schema.build()
  }()
}
