// What a predicate or an order can be wrong in.
extension NacreError.Code {
  /// A predicate, or an order, has a part that has no SQL.
  public static let untranslatablePredicate = Self(
    "untranslatablePredicate",
    "A part of the predicate can't be put into SQL",
    "Write that part otherwise or as a string condition, or fetch with `filteringInMemory: true`, which reads every object."
  )
}
