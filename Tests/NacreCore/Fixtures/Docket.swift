import NacreCore

/// An object that links to an invoice and to one of its own kind.
final class Docket: Entity {
  var number = 0 { didSet { entityState.markChanged(0) } }
  var invoice: Link<Invoice>? { didSet { entityState.markChanged(1) } }
  var former: Link<Docket>? { didSet { entityState.markChanged(2) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    number = try row.read(at: 0)
    invoice = try row.read(at: 1)
    former = try row.read(at: 2)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(number, at: 0)
    try row.bind(invoice, at: 1)
    try row.bind(former, at: 2)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(invoice, at: 1)
    walk.visit(former, at: 2)
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Docket.self, name: "Docket")
    schema.add("number", \Docket.number)
    schema.add("invoice", \Docket.invoice)
    schema.add("former", \Docket.former)
    return schema.build()
  }()
}
