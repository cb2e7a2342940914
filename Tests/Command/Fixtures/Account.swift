import NacreCore

/// An entity written by hand, for the tool's tests build without the macros.
final class Account: Entity {
  var holder = "" { didSet { entityState.markChanged(0) } }
  var iban = "" { didSet { entityState.markChanged(1) } }
  var note: String? { didSet { entityState.markChanged(2) } }
  var parent: Account? { didSet { entityState.markChanged(3) } }
  var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    holder = try row.read(at: 0)
    iban = try row.open(at: 1)
    note = try row.open(at: 2)
    parent = try row.read(at: 3)
    entityState = row.entityState()
  }

  deinit { GraphRelease.take(&parent) }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(holder, at: 0)
    try row.seal(iban, at: 1)
    try row.seal(note, at: 2)
    try row.bind(parent, at: 3)
  }

  func visitChildren(_ walk: GraphWalk) { walk.visit(parent, at: 3) }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Account.self, name: "Account")
    schema.add("holder", \Account.holder)
    schema.add("iban", \Account.iban, sealed: SealedOptions())
    schema.add("note", \Account.note, sealed: SealedOptions())
    schema.add("parent", \Account.parent)
    return schema.build()
  }()
}

extension Account {
  /// Saves accounts whose texts end with their numbers.
  static func save(
    _ count: Int,
    holder: String = "holder-in-a-plain-column-",
    iban: String = "DE-",
    in store: Store
  ) throws {
    try store.write { _ in
      for number in 0..<count {
        let account = Account.create()
        account.holder = holder + "\(number)"
        account.iban = iban + "\(number)"
        try account.save()
      }
    }
  }
}
