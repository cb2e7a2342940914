import NacreCore

/// An object whose sealed values can be computed again from its objectID and `version`, so that whoever reads it sees
/// whether a value was lost, mixed up or left behind.
final class Ledger: Entity {
  /// How often the object was written.
  var version = 0 { didSet { entityState.markChanged(0) } }
  var holder = "" { didSet { entityState.markChanged(1) } }
  var number = "" { didSet { entityState.markChanged(2) } }
  var note: String? { didSet { entityState.markChanged(3) } }
  var memo = "" { didSet { entityState.markChanged(4) } }
  var amount = 0 { didSet { entityState.markChanged(5) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    version = try row.read(at: 0)
    holder = try row.open(at: 1)
    number = try row.open(at: 2)
    note = try row.open(at: 3)
    memo = try row.open(at: 4)
    amount = try row.open(at: 5)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(version, at: 0)
    try row.seal(holder, at: 1)
    try row.seal(number, at: 2)
    try row.seal(note, at: 3)
    try row.seal(memo, at: 4)
    try row.seal(amount, at: 5)
  }

  func visitChildren(_ walk: GraphWalk) {}

  /// How `holder` is sealed, which conversions take away and give back.
  static let holderSealing = SealedOptions(isSearchable: true)

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Ledger.self, name: "Ledger", identifiers: .v4)
    schema.add("version", \Ledger.version)
    schema.add("holder", \Ledger.holder, sealed: holderSealing)
    schema.add("number", \Ledger.number, sealed: SealedOptions(isUnique: true))
    schema.add("note", \Ledger.note, sealed: SealedOptions())
    schema.add("memo", \Ledger.memo, sealed: SealedOptions(padding: .bucketed))
    schema.add("amount", \Ledger.amount, sealed: SealedOptions())
    return schema.build()
  }()

  /// Gives the object the contents of a version.
  func fill(version: Int) {
    let contents = Contents(of: objectID, version: version)
    self.version = version
    holder = contents.holder
    number = contents.number
    note = contents.note
    memo = contents.memo
    amount = contents.amount
  }

  /// Refuses an object that does not hold what its objectID and version say.
  func check() throws {
    let found = Contents(holder: holder, number: number, note: note, memo: memo, amount: amount)
    guard found == Contents(of: objectID, version: version) else {
      throw Deviation("object \(objectID), version \(version): its values are not those of it")
    }
  }
}
