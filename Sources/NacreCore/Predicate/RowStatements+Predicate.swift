import Foundation
import NacreEngine
import NacreStore

extension RowStatements {
  /// Returns the condition of a predicate on one row of the table.
  ///
  /// The SQL of a shape is kept, because a translation costs more than a small query.
  func condition<Row>(_ predicate: Predicate<Row>) throws -> Condition {
    try condition(predicate, predicate.expression)
  }

  private func condition<Row, X: PredicateExpression>(
    _ predicate: Predicate<Row>,
    _ expression: X
  ) throws -> Condition {
    let kind = predicates.kind(X.self)
    guard let type = kind.type else { return try PredicateContext(self).condition(predicate) }
    var parts = PredicateParts()
    type.collect(from: expression, &parts)
    let plan = kind.plan(parts)
    if let plan, let arguments = plan.arguments(parts.values, schema) {
      return Condition(text: plan.text, arguments: arguments, isMade: true)
    }
    let context = PredicateContext(self)
    let condition = try context.condition(predicate)
    // Beside the plan of a shape, a nil has its own SQL, as has a value without a stored form.
    if plan == nil && !context.namesFoundRows {
      keepPlan(of: condition, parts, context.boundForms, X.self)
    }
    return condition
  }

  private func keepPlan(
    of condition: Condition,
    _ parts: PredicateParts,
    _ forms: [StoredForm],
    _ type: Any.Type
  ) {
    let plan = PredicatePlan(
      paths: parts.paths,
      comparisons: parts.comparisons,
      text: condition.text,
      forms: forms.map(\.foreignProperty)
    )
    if plan.arguments(parts.values, schema) == condition.arguments { predicates.keep(plan, type) }
  }
}

extension PredicatePlan {
  /// Returns the stored forms of captured values; nil if they are not as many as the plan's, or if
  /// one of them is nil or has no stored form.
  fileprivate func arguments(_ values: [any StorableValue], _ schema: RowSchema) -> [Value]? {
    guard values.count == forms.count else { return nil }
    var arguments: [Value] = []
    arguments.reserveCapacity(values.count)
    for (value, property) in zip(values, forms) {
      let stored: Value?
      if let property {
        stored = try? StoredForm.property(property, of: schema).encode(value)
      } else {
        stored = try? value.storedValue
      }
      guard let stored, stored != .null else { return nil }
      arguments.append(stored)
    }
    return arguments
  }
}

extension StoredForm {
  /// The property in whose form a value is stored, unless that is the form of its own type.
  fileprivate var foreignProperty: Property? {
    guard case .property(let property, _) = self, case .value(let kind) = property.kind,
      !kind.form.isOwn
    else { return nil }
    return property
  }
}
