import NacreCore

/// An entity with a sealed property of the same name and type as one of `Vault`.
final class Safe: Entity {
  var secret: String? { didSet { entityState.markChanged(0) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    secret = try row.open(at: 0)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws { try row.seal(secret, at: 0) }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Safe.self, name: "Safe")
    schema.add("secret", \Safe.secret, sealed: SealedOptions())
    return schema.build()
  }()
}
