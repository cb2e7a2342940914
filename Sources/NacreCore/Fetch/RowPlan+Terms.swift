import NacreEngine
import NacreStore

// Checks of the terms that a caller wrote, before they run. A check that depends on the text alone
// is made once.

extension RowStatements {
  /// Throws if terms read a sealed property, order decimals by their texts, or have an argument
  /// that can't be equal to its column.
  ///
  /// - Throws: `sealedCondition`, `decimalsAsTexts`, `unequalArgument`, or the error that SQLite
  ///   reports.
  func verify(_ terms: QueryTerms, _ arguments: [Value]) throws {
    if terms.condition == nil && terms.order == nil { return }
    // One page reads the same columns as the others.
    let terms = QueryTerms(condition: terms.condition, order: terms.order)
    for argument in try comparedArguments(terms) { try argument.check(arguments, schema) }
  }

  private func comparedArguments(_ terms: QueryTerms) throws -> [ComparedArgument] {
    let sealed = session.home.sealedColumns
    if verified.version != sealed.version { verified = (sealed.version, [:]) }
    if let known = verified.terms[terms] { return known }
    try probe(terms, sealed)
    let comparisons =
      terms.condition.map { ComparisonScan($0, of: schema.table).comparisons } ?? []
    try refuseTextOrders(comparisons, terms.order)
    if verified.terms.count > 1000 { verified.terms.removeAll() }
    let found = schema.comparedArguments(comparisons)
    verified.terms[terms] = found
    return found
  }

  /// Prepares the terms alone, while the connection refuses to read sealed columns.
  ///
  /// A condition can ask whether a sealed column is NULL, because nil is NULL there; it can't ask a
  /// column that hides its nils.
  private func probe(_ terms: QueryTerms, _ sealed: SealedColumns) throws {
    if !sealed.isEmpty && [terms.condition, terms.order].contains(where: SQLText.joinsByName) {
      throw NacreError(
        .sealedCondition,
        entity: schema.name,
        detail: "USING and NATURAL compare columns that they do not name; write ON instead"
      )
    }
    let connection = session.connection
    let showing = schema.properties.filter { $0.sealing.map { !$0.hidesNil } ?? false }
    var asked = terms
    if let condition = terms.condition, !showing.isEmpty {
      let columns = Set(showing.map { SQLName($0.column) })
      asked.condition = ComparisonScan.askingNothing(of: columns, in: condition, schema.table)
    }
    try NacreError.wrapping {
      try connection.refusingReads(of: sealed, by: sealedCondition) {
        _ = try connection.prepare(sql.probe(asked), persistent: false)
      }
    }
  }

  private func sealedCondition(_ table: String, _ column: String) -> NacreError {
    let property = schema.properties.first { property in
      guard SQLName(table) == SQLName(schema.table), property.isSealed else { return false }
      return [property.column, property.indexColumn ?? property.column]
        .contains { SQLName($0) == SQLName(column) }
    }
    let advice =
      property?.indexColumn == nil
      ? "mark it @Encrypted(searchable: true) to fetch by its value"
      : "fetch by its value with fetchAll(\\.\(property?.name ?? ""), equals:)"
    return NacreError(
      .sealedCondition,
      entity: schema.name,
      property: property?.name ?? column,
      detail: "\(table).\(column); \(advice)"
    )
  }

  // MARK: Decimals

  /// Throws if the terms would order decimals by their texts, in a column that was made without the
  /// collation.
  private func refuseTextOrders(_ comparisons: [PlainComparison], _ order: String?) throws {
    guard schema.properties.contains(where: \.holdsDecimals) else { return }
    let compared = comparisons.filter { comparison in
      comparison.isOrdered && comparison.operands.allSatisfy(isDecimal)
    }
    let ordered = order.map { ComparisonScan($0, of: schema.table).orderedColumns } ?? []
    for column in compared.map(\.column) + ordered {
      guard let property = schema.property(inColumn: column), property.holdsDecimals,
        try !session.connection.comparesDecimals(property.column, of: schema.table)
      else { continue }
      throw decimalsAsTexts(property)
    }
  }

  /// Returns whether an operand leaves the texts in a column of decimals as they are; a column of
  /// numbers does not.
  private func isDecimal(_ operand: PlainComparison.Operand) -> Bool {
    guard case .column(let name) = operand else { return true }
    return schema.property(inColumn: name)?.holdsDecimals ?? false
  }

  private func decimalsAsTexts(_ property: Property) -> NacreError {
    let name = session.connection.dialect.decimalCollation ?? ""
    let rebuild =
      property.comparesDecimals ? ", or call `migrate`, which rebuilds the table with it" : ""
    return NacreError(
      .decimalsAsTexts,
      entity: schema.name,
      property: property.name,
      detail: "its column in the table does not have the collation \(name)",
      advice: "Write `\(property.column)\(TableSQL.collate(name))`\(rebuild)."
    )
  }
}
