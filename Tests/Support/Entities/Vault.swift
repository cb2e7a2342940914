import Foundation
import NacreCore

/// An entity with one sealed property of each storage class, and one that can be nil.
final class Vault: Entity {
  var label = "" { didSet { entityState.markChanged(0) } }
  var secret = "" { didSet { entityState.markChanged(1) } }
  var other = "" { didSet { entityState.markChanged(2) } }
  var number = 0 { didSet { entityState.markChanged(3) } }
  var real = 0.0 { didSet { entityState.markChanged(4) } }
  var data = Data() { didSet { entityState.markChanged(5) } }
  var note: String? { didSet { entityState.markChanged(6) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    label = try row.read(at: 0)
    secret = try row.open(at: 1)
    other = try row.open(at: 2)
    number = try row.open(at: 3)
    real = try row.open(at: 4)
    data = try row.open(at: 5)
    note = try row.open(at: 6)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(label, at: 0)
    try row.seal(secret, at: 1)
    try row.seal(other, at: 2)
    try row.seal(number, at: 3)
    try row.seal(real, at: 4)
    try row.seal(data, at: 5)
    try row.seal(note, at: 6)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Vault.self, name: "Vault")
    schema.add("label", \Vault.label)
    schema.add("secret", \Vault.secret, sealed: SealedOptions())
    schema.add("other", \Vault.other, sealed: SealedOptions())
    schema.add("number", \Vault.number, sealed: SealedOptions())
    schema.add("real", \Vault.real, sealed: SealedOptions())
    schema.add("data", \Vault.data, sealed: SealedOptions())
    schema.add("note", \Vault.note, sealed: SealedOptions())
    return schema.build()
  }()
}
