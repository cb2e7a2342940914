import NacreCore
import Observation

/// A class that detects conflicts, with a sealed property and one that can be observed.
final class Deposit: Entity, Observable {
  private var storedTitle = ""
  var title: String {
    get {
      entityObservation.access(self, \.title)
      return storedTitle
    }
    set {
      entityObservation.willSet(self, \.title)
      storedTitle = newValue
      entityState.markChanged(0)
      entityObservation.didSet(self, \.title)
    }
  }
  var balance = 0 { didSet { entityState.markChanged(1) } }
  var note: String? { didSet { entityState.markChanged(2) } }
  @exclusivity(unchecked) var entityState = EntityState()
  @exclusivity(unchecked) private var entityObservation = EntityObservation()

  init() {}

  init(row: RowReader) throws {
    storedTitle = try row.read(at: 0)
    balance = try row.read(at: 1)
    note = try row.open(at: 2)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(storedTitle, at: 0)
    try row.bind(balance, at: 1)
    try row.seal(note, at: 2)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Deposit.self, name: "Deposit", detectsConflicts: true)
    schema.add("title", \Deposit.title)
    schema.add("balance", \Deposit.balance)
    schema.add("note", \Deposit.note, sealed: SealedOptions())
    return schema.build()
  }()

  /// `Deposit` as an application declared it before it detected conflicts.
  final class Former: Entity {
    var title = "" { didSet { entityState.markChanged(0) } }
    var balance = 0 { didSet { entityState.markChanged(1) } }
    var note: String? { didSet { entityState.markChanged(2) } }
    @exclusivity(unchecked) var entityState = EntityState()

    init() {}

    init(row: RowReader) throws {
      title = try row.read(at: 0)
      balance = try row.read(at: 1)
      note = try row.open(at: 2)
      entityState = row.entityState()
    }

    func bindProperties(to row: RowBinder) throws {
      try row.bind(title, at: 0)
      try row.bind(balance, at: 1)
      try row.seal(note, at: 2)
    }

    func visitChildren(_ walk: GraphWalk) {}

    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Former.self, name: "Deposit")
      schema.add("title", \Former.title)
      schema.add("balance", \Former.balance)
      schema.add("note", \Former.note, sealed: SealedOptions())
      return schema.build()
    }()
  }

  /// A class with a property whose column has the name of the version column.
  final class Misnamed: Entity {
    var count = 0 { didSet { entityState.markChanged(0) } }
    @exclusivity(unchecked) var entityState = EntityState()

    init() {}

    init(row: RowReader) throws {
      count = try row.read(at: 0)
      entityState = row.entityState()
    }

    func bindProperties(to row: RowBinder) throws { try row.bind(count, at: 0) }

    func visitChildren(_ walk: GraphWalk) {}

    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Misnamed.self, name: "Misnamed")
      schema.add("count", \Misnamed.count, column: ColumnOptions(name: "ObjectID__Version"))
      return schema.build()
    }()
  }
}
