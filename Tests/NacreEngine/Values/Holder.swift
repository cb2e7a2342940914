import Foundation
import NacreCore
import Synchronization

/// One type of property with values that are hard to keep, the first of which new objects have.
protocol Filling: SendableMetatype {
  associatedtype Content: StorableValue & Equatable & Sendable
  /// What SQLite's `typeof()` says of the column.
  static var storedAs: String { get }
  static var samples: [Content] { get }
}

/// The four properties of one type: plain or sealed, optional or not.
final class Holder<F: Filling>: Entity {
  var plain = F.samples[0] { didSet { entityState.markChanged(0) } }
  var optional: F.Content? { didSet { entityState.markChanged(1) } }
  var sealed = F.samples[0] { didSet { entityState.markChanged(2) } }
  var sealedOptional: F.Content? { didSet { entityState.markChanged(3) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    plain = try row.read(at: 0)
    optional = try row.read(at: 1)
    sealed = try row.open(at: 2)
    sealedOptional = try row.open(at: 3)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(plain, at: 0)
    try row.bind(optional, at: 1)
    try row.seal(sealed, at: 2)
    try row.seal(sealedOptional, at: 3)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static var entitySchema: EntitySchema {
    holderSchemas.withLock { schemas in
      if let made = schemas[ObjectIdentifier(self)] { return made }
      var schema = EntitySchemaBuilder(self, name: "Holder_\(F.self)")
      schema.add("plain", \Holder.plain)
      schema.add("optional", \Holder.optional)
      schema.add("sealed", \Holder.sealed, sealed: SealedOptions())
      schema.add("sealedOptional", \Holder.sealedOptional, sealed: SealedOptions())
      let made = schema.build()
      schemas[ObjectIdentifier(self)] = made
      return made
    }
  }
}

/// A generic class can't keep a schema of its own.
private let holderSchemas = Mutex<[ObjectIdentifier: EntitySchema]>([:])
