import NacreEngine

extension GraphLoader {
  /// The objects of one entity on one level.
  final class Batch: LoadedObjects {
    let statements: EntityStatements

    init(_ statements: EntityStatements, following toOne: [Property]) {
      self.statements = statements
      super.init(following: toOne)
    }

    /// The identities of the objects in ascending order, with their indices.
    var owners: [(identity: ObjectID, index: Int)] {
      let owners = identities.enumerated().map { (identity: $0.element, index: $0.offset) }
      let isAscending = zip(identities, identities.dropFirst()).allSatisfy { $0 <= $1 }
      return isAscending ? owners : owners.sorted { $0.identity < $1.identity }
    }
  }
}
