import NacreCore
@testable import TestSupport

/// Films and actors, who link to any number of each other; films store it.
enum Studio {
  final class Film: Entity {
    var title = "" { didSet { entityState.markChanged(0) } }
    var cast = Links<Actor>() { didSet { entityState.markChanged(1) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      title = try row.read(at: 0)
      cast = try row.read(at: 1)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws {
      try row.bind(title, at: 0)
      try row.bind(cast, at: 1)
    }
    func visitChildren(_ walk: GraphWalk) { walk.visit(cast, at: 1) }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Film.self, name: "Film")
      schema.add("title", \Film.title)
      schema.add("cast", \Film.cast)
      return schema.build()
    }()
  }

  final class Actor: Entity {
    var name = "" { didSet { entityState.markChanged(0) } }
    var films = Links<Film>() { didSet { entityState.markChanged(1) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      name = try row.read(at: 0)
      films = try row.read(at: 1)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws {
      try row.bind(name, at: 0)
      try row.bind(films, at: 1)
    }
    func visitChildren(_ walk: GraphWalk) { walk.visit(films, at: 1) }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Actor.self, name: "Actor")
      schema.add("name", \Actor.name)
      schema.add("films", \Actor.films, inverse: \Film.cast)
      return schema.build()
    }()
  }
}
