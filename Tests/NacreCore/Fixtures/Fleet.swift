import NacreCore

/// An entity whose relationships are renamed from one version to the next.
enum Fleet {
  final class Sailor: Entity {
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws { entityState = row.entityState() }
    func bindProperties(to row: RowBinder) throws {}
    func visitChildren(_ walk: GraphWalk) {}
    static let entitySchema = EntitySchemaBuilder(Sailor.self, name: "Sailor").build()
  }

  final class First: Entity {
    var sailors: [Sailor] = [] { didSet { entityState.markChanged(0) } }
    var captain: Sailor? { didSet { entityState.markChanged(1) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      sailors = try row.read(at: 0)
      captain = try row.read(at: 1)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws {
      try row.bind(sailors, at: 0)
      try row.bind(captain, at: 1)
    }
    func visitChildren(_ walk: GraphWalk) {
      walk.visit(sailors, at: 0)
      walk.visit(captain, at: 1)
    }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(First.self, name: "Ship")
      schema.add("sailors", \First.sailors)
      schema.add("captain", \First.captain)
      return schema.build()
    }()
  }

  final class Second: Entity {
    var crew: [Sailor] = [] { didSet { entityState.markChanged(0) } }
    var master: Sailor? { didSet { entityState.markChanged(1) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      crew = try row.read(at: 0)
      master = try row.read(at: 1)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws {
      try row.bind(crew, at: 0)
      try row.bind(master, at: 1)
    }
    func visitChildren(_ walk: GraphWalk) {
      walk.visit(crew, at: 0)
      walk.visit(master, at: 1)
    }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Second.self, name: "Ship")
      schema.add("crew", \Second.crew, column: ColumnOptions(renamedFrom: "sailors"))
      schema.add("master", \Second.master, column: ColumnOptions(renamedFrom: "captain"))
      return schema.build()
    }()
  }
}
