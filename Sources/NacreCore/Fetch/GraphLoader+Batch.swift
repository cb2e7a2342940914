extension GraphLoader {
  /// The objects of one entity on one level.
  final class Batch: LoadedObjects {
    let plan: EntityPlan

    init(_ plan: EntityPlan, following toOne: [Property]) {
      self.plan = plan
      super.init(following: toOne)
    }
  }
}
