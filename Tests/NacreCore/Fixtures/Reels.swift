import NacreCore
@testable import TestSupport

/// Further declarations of the same entities, as earlier and later versions of a program have them.
enum Reels {
  final class Film: Entity {
    var cast = Links<Actor>() { didSet { entityState.markChanged(0) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      cast = try row.read(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.bind(cast, at: 0) }
    func visitChildren(_ walk: GraphWalk) { walk.visit(cast, at: 0) }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Film.self, name: "Film")
      schema.add("cast", \Film.cast)
      return schema.build()
    }()
  }

  final class Actor: Entity {
    var films = Links<Film>() { didSet { entityState.markChanged(0) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      films = try row.read(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.bind(films, at: 0) }
    func visitChildren(_ walk: GraphWalk) { walk.visit(films, at: 0) }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Actor.self, name: "Actor")
      schema.add("films", \Actor.films)
      return schema.build()
    }()
  }
}

/// Films whose links are in a table with a name of its own.
enum Casting {
  final class Film: Entity {
    var cast = Links<Actor>() { didSet { entityState.markChanged(0) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      cast = try row.read(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.bind(cast, at: 0) }
    func visitChildren(_ walk: GraphWalk) { walk.visit(cast, at: 0) }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Film.self, name: "Film")
      schema.add("cast", \Film.cast, relationship: RelationshipOptions(table: "casting"))
      return schema.build()
    }()
  }

  final class Actor: Entity {
    var films = Links<Film>() { didSet { entityState.markChanged(0) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      films = try row.read(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.bind(films, at: 0) }
    func visitChildren(_ walk: GraphWalk) { walk.visit(films, at: 0) }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Actor.self, name: "Actor")
      schema.add("films", \Actor.films, inverse: \Film.cast)
      return schema.build()
    }()
  }
}

/// Two sides that both name the other.
enum Circular {
  final class Film: Entity {
    var cast = Links<Actor>() { didSet { entityState.markChanged(0) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      cast = try row.read(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.bind(cast, at: 0) }
    func visitChildren(_ walk: GraphWalk) { walk.visit(cast, at: 0) }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Film.self, name: "Film")
      schema.add("cast", \Film.cast, inverse: \Actor.films)
      return schema.build()
    }()
  }

  final class Actor: Entity {
    var films = Links<Film>() { didSet { entityState.markChanged(0) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      films = try row.read(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.bind(films, at: 0) }
    func visitChildren(_ walk: GraphWalk) { walk.visit(films, at: 0) }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Actor.self, name: "Actor")
      schema.add("films", \Actor.films, inverse: \Film.cast)
      return schema.build()
    }()
  }
}

/// Films whose links have a table that can't have its name.
enum Misnamed {
  final class Reserved: Entity {
    var cast = Links<Wheel>() { didSet { entityState.markChanged(0) } }
    var crew = Links<Wheel>() { didSet { entityState.markChanged(1) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      cast = try row.read(at: 0)
      crew = try row.read(at: 1)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws {
      try row.bind(cast, at: 0)
      try row.bind(crew, at: 1)
    }
    func visitChildren(_ walk: GraphWalk) {
      walk.visit(cast, at: 0)
      walk.visit(crew, at: 1)
    }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Reserved.self, name: "Reserved")
      schema.add("cast", \Reserved.cast)
      schema.add("crew", \Reserved.crew, relationship: RelationshipOptions(table: "Nacre_key"))
      return schema.build()
    }()
  }

  final class Own: Entity {
    var cast = Links<Wheel>() { didSet { entityState.markChanged(0) } }
    var crew = Links<Wheel>() { didSet { entityState.markChanged(1) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      cast = try row.read(at: 0)
      crew = try row.read(at: 1)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws {
      try row.bind(cast, at: 0)
      try row.bind(crew, at: 1)
    }
    func visitChildren(_ walk: GraphWalk) {
      walk.visit(cast, at: 0)
      walk.visit(crew, at: 1)
    }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Own.self, name: "Own")
      schema.add("cast", \Own.cast)
      schema.add("crew", \Own.crew, relationship: RelationshipOptions(table: "OWN"))
      return schema.build()
    }()
  }
}
