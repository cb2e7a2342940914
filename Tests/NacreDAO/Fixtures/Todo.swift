import NacreCore

@testable import NacreDAO

/// An entity that seals one of its properties, and can be JSON as a whole.
final class Todo: Entity, Encodable {
  var title = "" { didSet { entityState.markChanged(0) } }
  var note: String? { didSet { entityState.markChanged(1) } }
  @exclusivity(unchecked) var entityState = EntityState()

  private enum CodingKeys: CodingKey { case title, note }

  init() {}

  init(row: RowReader) throws {
    title = try row.read(at: 0)
    note = try row.open(at: 1)
    entityState = row.entityState()
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
    try container.encode(note, forKey: .note)
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(title, at: 0)
    try row.seal(note, at: 1)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Todo.self, name: "Todo")
    schema.add("title", \Todo.title)
    schema.add("note", \Todo.note, sealed: SealedOptions())
    return schema.build()
  }()

  static func make(_ title: String, _ note: String?) -> Todo {
    let todo = Todo.create()
    (todo.title, todo.note) = (title, note)
    return todo
  }
}

extension Configuration {
  /// What is wrong in a configuration for these models and methods of a protocol.
  static func issues(
    _ text: String,
    models: [any Any.Type],
    _ methods: [DAOSignature] = []
  ) -> [ConfigurationIssue] {
    do {
      _ = try DAO(
        configuration: text,
        models: models,
        methods: methods,
        source: .user(DataCenter(directory: "none"))
      )
      return []
    } catch {
      return (error as? ConfigurationError)?.issues ?? []
    }
  }
}
