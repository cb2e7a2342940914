import Foundation
import NacreStore

extension PredicateExpressions.NilCoalesce: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    let (a, b) = try context.pair(context.term(lhs), context.term(rhs))
    if !a.isNullable { return .scalar(a) }
    try a.checkNil()
    return .scalar(
      ScalarTerm(
        sql: PredicateSQL.firstOf(a.sql, b.sql),
        isNullable: b.isNullable,
        mayBeNaN: b.mayBeNaN,
        form: a.isMissing ? b.form : a.form
      )
    )
  }
}

extension PredicateExpressions.OptionalFlatMap: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    switch try context.term(wrapped) {
    case .object(let object): return try ofObject(object, context)
    case .link(let link):
      var present = link
      present.isNullable = false
      context.bind(variable, to: .link(present))
      return try unlessNull(link.identity, context)
    case .scalar(let value):
      var present = value
      present.isNullable = false
      context.bind(variable, to: .scalar(present))
      if !value.isNullable { return try context.term(transform) }
      try value.checkNil()
      return try unlessNull(value.sql, context)
    case .sealed(let sealed):
      if sealed.property.sealing?.hidesNil == true { throw sealed.refusal() }
      context.bind(variable, to: .sealed(sealed))
      return try unlessNull(sealed.column, context)
    case .captured(let value):
      guard let present = unwrapped(value) else { return .captured(Result?.none as Any) }
      context.bind(variable, to: .captured(present))
      return try context.term(transform)
    case .collection, .range: throw NacreError.untranslatable("an optional relationship or range")
    }
  }

  /// Translates the closure for an object as a query for its row, which finds nothing if there is no object.
  private func ofObject(
    _ object: ObjectTerm,
    _ context: PredicateContext
  ) throws -> PredicateTerm {
    let alias = context.makeAlias()
    let row = ObjectTerm(row: alias, of: object.schema)
    context.bind(variable, to: .object(row))
    func query(_ sql: SQLFragment) -> SQLFragment {
      PredicateSQL.ofObject(
        sql,
        table: object.schema.table,
        alias: alias,
        identity: object.identity
      )
    }
    func referred(_ target: ObjectTerm) -> ObjectTerm {
      // The row itself needs no further query.
      let isRow = target.identity.text == row.identity.text
      return ObjectTerm(
        identity: isRow ? object.identity : query(target.identity),
        isNullable: true,
        schema: target.schema,
        through: object.through + [object.identity.text]
      )
    }
    return try answer(context, object: referred) { sql, _ in query(sql) }
  }

  /// Translates the closure for a value, and gives NULL if the value is NULL.
  private func unlessNull(
    _ wrapped: SQLFragment,
    _ context: PredicateContext
  ) throws -> PredicateTerm {
    try answer(context, object: { $0.unlessNull(wrapped) }) { sql, owner in
      let isNullAnyway = sql.text == wrapped.text || owner?.isReached(through: wrapped) == true
      return isNullAnyway ? sql : PredicateSQL.unlessNull(wrapped, sql)
    }
  }

  /// Translates the closure; `object` and `value` make its answer NULL if there is nothing to unwrap.
  ///
  /// A sealed property's column comes to `value` with the object that has it.
  private func answer(
    _ context: PredicateContext,
    object: (ObjectTerm) -> ObjectTerm,
    value: (SQLFragment, _ owner: ObjectTerm?) -> SQLFragment
  ) throws -> PredicateTerm {
    switch try context.term(transform) {
    case .object(let target): return .object(object(target))
    case .link(let target): return .link(object(target))
    case .sealed(let sealed):
      return .sealed(
        SealedTerm(
          owner: object(sealed.owner),
          column: value(sealed.column, sealed.owner),
          property: sealed.property
        )
      )
    case let term:
      let scalar = context.value(try context.scalar(term).settled)
      return .scalar(
        ScalarTerm(
          sql: value(scalar.sql, nil),
          isNullable: true,
          mayBeNaN: scalar.mayBeNaN,
          form: scalar.form
        )
      )
    }
  }
}

extension ObjectTerm {
  /// Whether this object is missing whenever another's identity is NULL.
  fileprivate func isReached(through other: SQLFragment) -> Bool {
    identity.text == other.text || through.contains(other.text)
  }

  /// The object if a value is not NULL, and no object if it is.
  fileprivate func unlessNull(_ value: SQLFragment) -> ObjectTerm {
    if isReached(through: value) {
      var reached = self
      reached.isNullable = true
      return reached
    }
    return ObjectTerm(
      identity: PredicateSQL.unlessNull(value, identity),
      isNullable: true,
      schema: schema,
      through: through
    )
  }
}
