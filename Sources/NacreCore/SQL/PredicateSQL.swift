import Foundation
import NacreEngine
import NacreStore

/// The pieces of SQL from which a predicate's condition is put together.
///
/// SQL knows NULL as a third truth value, and Swift does not. Code that builds a condition marks
/// whether the condition may be NULL, and applies `settled` where that matters.
enum PredicateSQL {
  static let null: SQLFragment = "NULL"

  static func bound(_ value: Value) -> SQLFragment {
    // Write NULL as a word, because the planner knows what to do with IS NULL.
    value == .null ? null : "\(bound: value)"
  }

  /// Returns a parameter whose class the engine knows wherever it stands.
  static func typed(_ value: Value, _ dialect: any Dialect) -> SQLFragment {
    let (before, after) = dialect.cast(to: value.storageClass)
    return "\(word: before)\(bound(value))\(word: after)"
  }

  package static func column(_ alias: String, _ column: String) -> SQLFragment {
    "\(name: alias).\(name: column)"
  }

  // MARK: Truth

  /// Returns the number of a condition: 0 or 1.
  static func number(ofCondition sql: SQLFragment) -> SQLFragment { "CAST(\(sql) AS integer)" }

  /// Returns the condition that a number stands for.
  static func condition(ofNumber sql: SQLFragment) -> SQLFragment { operation(sql, "<>", "0") }

  static func settled(_ condition: SQLFragment) -> SQLFragment { "ifnull(\(condition), 0)" }
  static func not(_ condition: SQLFragment) -> SQLFragment { "(NOT \(condition))" }
  static func and(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment { "(\(a) AND \(b))" }
  static func or(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment { "(\(a) OR \(b))" }

  /// Joins conditions by OR in a tree of pairs instead of a chain, because SQLite limits the depth
  /// of an expression.
  static func any(_ conditions: ArraySlice<SQLFragment>) -> SQLFragment {
    guard conditions.count > 1 else { return conditions.first ?? "0" }
    let middle = conditions.startIndex + conditions.count / 2
    return or(any(conditions[..<middle]), any(conditions[middle...]))
  }

  // MARK: Comparison

  static func equal(_ a: SQLFragment, _ b: SQLFragment, mayBeNull: Bool, isNegated: Bool)
    -> SQLFragment
  {
    let word = mayBeNull ? (isNegated ? "IS NOT" : "IS") : (isNegated ? "<>" : "=")
    return "(\(a) \(word: word) \(b))"
  }

  /// Returns a comparison, a sum or another operation on two operands, by its word.
  static func operation(_ a: SQLFragment, _ word: String, _ b: SQLFragment) -> SQLFragment {
    "(\(a) \(word: word) \(b))"
  }

  static func isNull(_ value: SQLFragment) -> SQLFragment { "(\(value) IS NULL)" }

  /// The largest number of values of which each is a parameter of its own.
  private static let parameterCount = 1000

  /// Returns the condition that a value is in a list; `item` is the SQL function that returns the
  /// list's items, and nil if the engine has none.
  static func isOneOf(
    _ value: SQLFragment,
    _ list: PackedValues,
    _ item: String?,
    _ dialect: any Dialect
  ) -> SQLFragment {
    guard let item else {
      guard list.values.count > parameterCount, let array = dialect.list(of: list.values) else {
        return "(\(value) IN (\(bound(list.values[...]))))"
      }
      return """
        (\(value) = ANY (\(word: array.before)\(bound: array.value)\(word: array.after)))
        """
    }
    return switch list.values.count {
    case 0: "0"
    case 1: "(\(value) = \(bound: list.values[0]))"
    default:
      """
      (\(value) IN (WITH "nacre_n"("n", "count") AS (SELECT 0, \(bound: list.count) UNION ALL \
      SELECT "n" + 1, "count" FROM "nacre_n" WHERE "n" + 1 < "count") \
      SELECT \(word: item)(\(bound: list.packed), "n", "count") FROM "nacre_n"))
      """
    }
  }

  /// Returns the condition that a row has one of the keys whose parts are in a list, one key after
  /// another.
  static func isOneOf(
    _ key: [String],
    _ parts: PackedValues,
    _ item: String?,
    _ dialect: any Dialect
  ) -> SQLFragment {
    if key.count == 1 { return isOneOf("\(word: key[0])", parts, item, dialect) }
    if parts.values.isEmpty { return "0" }
    guard let item else { return isOneOf(key, parts.values) }
    let width = "\(key.count)"
    var items: SQLFragment = ""
    for place in key.indices {
      items =
        "\(items)\(word: place == 0 ? "" : ", ")\(word: item)(\(bound: parts.packed), \(word: "\"n\" * \(width) + \(place)"), \(word: "\"count\" * \(width)"))"
    }
    let count = Value.integer(Int64(parts.values.count / key.count))
    return """
      ((\(word: key.joined(separator: ", "))) IN (\
      WITH "nacre_n"("n", "count") AS (SELECT 0, \(bound: count) UNION ALL \
      SELECT "n" + 1, "count" FROM "nacre_n" WHERE "n" + 1 < "count") \
      SELECT \(items) FROM "nacre_n"))
      """
  }

  /// Returns the condition that a row has one of some keys, each of whose parts is a parameter.
  private static func isOneOf(_ key: [String], _ parts: [Value]) -> SQLFragment {
    var keys: SQLFragment = ""
    for start in stride(from: 0, to: parts.count, by: key.count) {
      let values = bound(parts[start..<min(start + key.count, parts.count)])
      keys = "\(keys)\(word: start == 0 ? "" : ", ")(\(values))"
    }
    return "((\(word: key.joined(separator: ", "))) IN (\(keys)))"
  }

  /// Returns parameters for values, with commas between them.
  private static func bound(_ values: ArraySlice<Value>) -> SQLFragment {
    var list = SQLFragment.StringInterpolation(literalCapacity: 0, interpolationCount: values.count)
    for (index, value) in values.enumerated() {
      if index > 0 { list.appendLiteral(", ") }
      list.appendInterpolation(bound: value)
    }
    return SQLFragment(stringInterpolation: list)
  }

  // MARK: Values

  /// Returns a quotient of reals; a number other than 0 divided by zero is infinite, as in IEEE
  /// 754, and not NULL.
  ///
  /// A quotient that is a NaN is NULL. SQLite's zero has no sign.
  static func quotient(_ a: SQLFragment, _ b: SQLFragment, _ dialect: any Dialect) -> SQLFragment {
    let (before, after) = dialect.realFrame
    let (zero, infinity) = (dialect.realZero, dialect.infinity)
    return """
      \(word: before)(CASE WHEN \(b) = \(word: zero) THEN \(a) * \(word: infinity) ELSE \(a) / \(b) END)\
      \(word: after)
      """
  }

  /// Returns an operation on integers; a quotient or a remainder is NULL where the divisor is 0.
  static func integers(
    _ a: SQLFragment,
    _ word: String,
    _ b: SQLFragment,
    _ dialect: any Dialect
  ) -> SQLFragment {
    let words = dialect.integerOperation(word)
    return "\(word: words.before)\(a)\(word: words.between)\(b)\(word: words.after)"
  }

  /// Returns an operation on reals; a NaN is NULL.
  static func reals(
    _ a: SQLFragment,
    _ word: String,
    _ b: SQLFragment,
    _ dialect: any Dialect
  ) -> SQLFragment {
    let (before, after) = dialect.realFrame
    return "\(word: before)\(operation(a, word, b))\(word: after)"
  }

  /// Returns a negated integer.
  static func negative(integer value: SQLFragment, _ dialect: any Dialect) -> SQLFragment {
    let (before, after) = dialect.integerNegation
    return "\(word: before)\(value)\(word: after)"
  }

  static func negative(_ value: SQLFragment) -> SQLFragment { "(- \(value))" }
  static func isEmpty(_ text: SQLFragment) -> SQLFragment { "(\(text) = '')" }
  static func byteCount(_ blob: SQLFragment) -> SQLFragment { "length(\(blob))" }
  static func firstOf(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment { "ifnull(\(a), \(b))" }

  static func choice(
    _ test: SQLFragment,
    _ ifTrue: SQLFragment,
    _ ifFalse: SQLFragment
  ) -> SQLFragment {
    "(CASE WHEN \(test) THEN \(ifTrue) ELSE \(ifFalse) END)"
  }

  static func unlessNull(_ value: SQLFragment, _ result: SQLFragment) -> SQLFragment {
    "(CASE WHEN \(value) IS NULL THEN NULL ELSE \(result) END)"
  }

  static func call(_ function: String, _ a: SQLFragment) -> SQLFragment {
    "\(word: function)(\(a))"
  }

  static func call(_ function: String, _ a: SQLFragment, _ b: SQLFragment) -> SQLFragment {
    "\(word: function)(\(a), \(b))"
  }

  // MARK: Other rows

  /// Returns a subquery for a value of the row of one object; NULL if there is no such row.
  static func ofObject(
    _ value: SQLFragment,
    table: String,
    alias: String,
    identity: SQLFragment
  ) -> SQLFragment {
    """
    (SELECT \(value) FROM \(name: table) \(name: alias) \
    WHERE \(name: alias)."objectID" = \(identity))
    """
  }

  /// Returns the elements of an object's to-many relationship, and their order; the order is nil if
  /// they have none.
  static func elements(
    _ relationship: RelationshipSQL,
    alias: String,
    join: String,
    owner: SQLFragment
  ) -> (rows: SQLFragment, condition: SQLFragment, position: SQLFragment?) {
    let target = relationship.target.table
    guard let joinTable = relationship.joinTable else {
      let link = column(alias, relationship.inverseColumn ?? "")
      return ("\(name: target) \(name: alias)", "\(link) = \(owner)", nil)
    }
    let isOrdered = if case .children = relationship.property.kind { true } else { false }
    return (
      """
      \(name: joinTable) \(name: join) JOIN \(name: target) \(name: alias) \
      ON \(name: alias)."objectID" = \(name: join).\(word: relationship.targetEnd)
      """,
      "\(name: join).\(word: relationship.ownerEnd) = \(owner)",
      isOrdered ? column(join, "position") : nil
    )
  }

  static func count(_ rows: SQLFragment, _ condition: SQLFragment) -> SQLFragment {
    "(SELECT count(*) FROM \(rows) WHERE \(condition))"
  }

  static func exists(_ rows: SQLFragment, _ condition: SQLFragment) -> SQLFragment {
    "EXISTS (SELECT 1 FROM \(rows) WHERE \(condition))"
  }

  static func first(
    _ identity: SQLFragment,
    _ rows: SQLFragment,
    _ condition: SQLFragment,
    by position: SQLFragment,
    isLast: Bool
  ) -> SQLFragment {
    """
    (SELECT \(identity) FROM \(rows) WHERE \(condition) \
    ORDER BY \(position)\(word: isLast ? " DESC" : "") LIMIT 1)
    """
  }
}
