import Foundation
import NacreEngine
import NacreStore

extension SealedTerm {
  /// The error for asking anything but equality of a sealed property.
  func refusal() -> NacreError {
    let advice =
      property.indexColumn == nil
      ? "mark it @Encrypted(searchable: true) to compare it by == and contains"
      : "only ==, != and `contains` of a list can compare it"
    return owner.schema.error(.sealedCondition, of: property, advice)
  }

  /// Whether the property has one of the values.
  ///
  /// It searches the blind index, then opens and compares the rows found, in the transaction of the query. Texts are
  /// compared in the form that the property's normalizer makes.
  func isOneOf(_ values: [Any], _ context: PredicateContext) throws -> ScalarTerm {
    let hidesNil = property.sealing?.hidesNil ?? false
    let present = values.filter { unwrapped($0) != nil }
    let includesNil = present.count < values.count
    let wanted = hidesNil ? values : present
    // This works without an index, too, because nil is NULL in the file.
    if wanted.isEmpty {
      return ScalarTerm(sql: includesNil ? PredicateSQL.isNull(column) : "0", isCondition: true)
    }
    let found = try identities(wanted, context)
    var condition = ScalarTerm(
      sql: try context.isOneOf(owner.identity, found),
      isNullable: owner.isNullable,
      isCondition: true
    )
    guard includesNil else { return condition }
    condition.sql = PredicateSQL.or(
      condition.settled.sql,
      PredicateSQL.isNull(hidesNil ? owner.identity : column)
    )
    condition.isNullable = false
    return condition
  }

  private func identities(_ wanted: [Any], _ context: PredicateContext) throws -> [Value] {
    context.namesFoundRows = true
    let statements = try context.statements(for: owner.schema)
    let match = try PropertyMatch(
      property,
      of: owner.schema,
      in: wanted,
      for: context.session.home
    )
    return try context.session.candidates(match, statements).map { .blob($0.data) }
  }
}
