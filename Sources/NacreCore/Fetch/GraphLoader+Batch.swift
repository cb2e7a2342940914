import NacreStore

extension GraphLoader {
  /// The objects of one entity on one level, with the identities of their to-one children.
  final class Batch {
    /// Which object refers to which target.
    struct Reference {
      /// The object's place in the batch.
      let owner: Int
      let target: ObjectID
    }

    let plan: EntityPlan
    /// The to-one properties that are followed.
    let toOne: [Property]
    /// For each of them, what its column holds.
    private(set) var references: [[Reference]]
    private(set) var objects: [any Entity] = []
    private(set) var identities: [ObjectID] = []

    init(_ plan: EntityPlan, following toOne: [Property]) {
      self.plan = plan
      self.toOne = toOne
      references = toOne.map { _ in [] }
    }

    /// Takes the object that `reader` has just made from its current row.
    func append(_ object: any Entity, _ reader: RowReader) throws {
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
}
