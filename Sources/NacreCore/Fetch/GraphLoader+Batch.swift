extension GraphLoader {
  /// The objects of one entity on one level.
  final class Batch: LoadedObjects {
    let statements: EntityStatements

    init(_ statements: EntityStatements, following toOne: [Property]) {
      self.statements = statements
      super.init(following: toOne)
    }
  }
}
