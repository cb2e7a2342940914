// Codes of predicates and orders.
extension NacreError.Code {
  /// A predicate or an order has a part that Nacre can't translate to SQL.
  public static let untranslatablePredicate = Self(
    "untranslatablePredicate",
    "A part of the predicate can't be translated to SQL",
    "Write that part in another way or as a string condition, or fetch with "
      + "`filteringInMemory: true`, which reads every object."
  )
}
