import NacreCore

/// An entity with names that would end a string, a name or a statement if they were not quoted.
final class Quoted: Entity {
  static let evil = #"x"; DROP TABLE "Wheel"; --' "#

  var text = #"d'"; --"# { didSet { entityState.markChanged(0) } }
  var sealed: String? { didSet { entityState.markChanged(1) } }
  var child: Wheel? { didSet { entityState.markChanged(2) } }
  var children: [Wheel] = [] { didSet { entityState.markChanged(3) } }
  var zero = "a\(TestPlace.nul)b" { didSet { entityState.markChanged(4) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    text = try row.read(at: 0)
    sealed = try row.open(at: 1)
    child = try row.read(at: 2)
    children = try row.read(at: 3)
    zero = try row.read(at: 4)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(text, at: 0)
    try row.seal(sealed, at: 1)
    try row.bind(child, at: 2)
    try row.bind(children, at: 3)
    try row.bind(zero, at: 4)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(child, at: 2)
    walk.visit(children, at: 3)
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Quoted.self, name: "e" + evil, table: "t" + evil)
    schema.add(
      "p" + evil,
      \Quoted.text,
      column: ColumnOptions(name: "c" + evil, isUnique: true)
    )
    schema.add("s" + evil, \Quoted.sealed, sealed: SealedOptions())
    schema.add("o" + evil, \Quoted.child)
    schema.add("m" + evil, \Quoted.children)
    schema.add("zero", \Quoted.zero)
    return schema.build()
  }()
}
