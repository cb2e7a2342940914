import NacreStore

/// The objects that a statement's rows gave, with the identities of their to-one children, which are loaded next.
class LoadedObjects {
  /// A reference of an object to a target.
  struct Reference {
    /// The object's place among the objects.
    let owner: Int
    let target: ObjectID
  }

  /// The to-one properties that are followed.
  final let toOne: [Property]
  /// For each of them, the references in its column.
  private(set) final var references: [[Reference]]
  private(set) final var objects: [any Entity] = []
  private(set) final var identities: [ObjectID] = []

  init(following toOne: [Property]) {
    self.toOne = toOne
    references = toOne.map { _ in [] }
  }

  /// Takes the object that `reader` has just made from its current row.
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
