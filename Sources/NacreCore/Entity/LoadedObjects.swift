import NacreEngine
import NacreStore

/// The objects that were made from a statement's rows, with the identities of their to-one
/// children, which are loaded next.
class LoadedObjects {
  /// A reference from an object to a target.
  struct Reference {
    /// The object's index in `objects`.
    let owner: Int
    let target: ObjectID
  }

  /// The to-one properties to follow.
  final let toOne: [Property]
  /// The references in the column of each property in `toOne`.
  private(set) final var references: [[Reference]]
  private(set) final var objects: [any Entity] = []
  private(set) final var identities: [ObjectID] = []

  init(following toOne: [Property]) {
    self.toOne = toOne
    references = toOne.map { _ in [] }
  }

  /// Returns the references in the column of a property in `toOne`, and keeps them no longer.
  final func takeReferences(at index: Int) -> [Reference] {
    defer { references[index] = [] }
    return references[index]
  }

  /// Adds the object that `reader` has just made from its current row.
  final func append(_ object: any Entity, _ reader: RowReader) throws {
    for index in toOne.indices {
      let property = toOne[index].index
      do {
        guard let target = try reader.target(at: property) else { continue }
        references[index].append(Reference(owner: objects.count, target: target))
      } catch {
        throw reader.failure(error, property)
      }
    }
    objects.append(object)
    identities.append(reader.identity)
  }
}
