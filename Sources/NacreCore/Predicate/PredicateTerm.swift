import Foundation
import NacreEngine
import NacreStore

/// The translation of one expression of a predicate.
indirect enum PredicateTerm {
  /// A value that SQL computes.
  case scalar(ScalarTerm)
  /// A stored object, which may be missing.
  case object(ObjectTerm)
  /// A link to a stored object, which may be missing.
  case link(ObjectTerm)
  /// Stored objects of a to-many relationship.
  case collection(CollectionTerm)
  /// A sealed property.
  case sealed(SealedTerm)
  /// A range, with a term for each bound.
  case range(RangeTerm)
  /// A value that the predicate captured; its stored form depends on the value that it is compared with.
  case captured(Any)

  /// A condition; if it is nullable, NULL means false.
  static func condition(_ sql: SQLFragment, isNullable: Bool = false) -> PredicateTerm {
    .scalar(ScalarTerm(sql: sql, isNullable: isNullable, isCondition: true))
  }
}

/// A value that SQL computes.
struct ScalarTerm: Sendable {
  var sql: SQLFragment
  var isNullable = false
  /// Whether NULL can stand for a NaN, which SQLite does not have, or for an integer's quotient by
  /// zero, at which Swift traps; neither is equal to anything, nor to nil.
  var mayBeNaN = false
  /// Whether it is a Bool whose NULL means false; otherwise NULL means nil.
  var isCondition = false
  /// Whether the SQL is a condition, and not a number that stands for one.
  var isTruth: Bool
  var form = StoredForm.natural
  /// The function that orders the value; nil if the stored form already has the right order.
  var comparison: EngineFunction?

  init(
    sql: SQLFragment,
    isNullable: Bool = false,
    mayBeNaN: Bool = false,
    isCondition: Bool = false,
    form: StoredForm = .natural,
    comparison: EngineFunction? = nil
  ) {
    self.sql = sql
    self.isNullable = isNullable
    self.mayBeNaN = mayBeNaN
    self.isCondition = isCondition
    isTruth = isCondition
    self.form = form
    self.comparison = comparison
  }

  /// The same value, with NULL replaced by false if NULL means false.
  var settled: ScalarTerm {
    guard isNullable && isCondition else { return self }
    return ScalarTerm(sql: PredicateSQL.settled(sql), isCondition: true)
  }

  /// Whether SQL can compute NULL for it.
  var mayBeNull: Bool { isNullable || mayBeNaN }

  /// Throws if NULL can stand both for nil and for a NaN, where the two differ.
  func checkNil() throws {
    if !isNullable || !mayBeNaN { return }
    throw NacreError.untranslatable(
      "nil compared with a number that may be NaN: SQLite has NULL for both",
      instead: "ask whether the operands are nil, and whether the divisor is 0"
    )
  }

  /// Nil.
  static let missing = ScalarTerm(sql: PredicateSQL.null, isNullable: true)

  /// Whether it is nil in every row.
  var isMissing: Bool { sql.text == PredicateSQL.null.text }

  var negated: ScalarTerm { ScalarTerm(sql: PredicateSQL.not(settled.sql), isCondition: true) }
}

/// A stored object: the SQL of its identity and, within its own row, that row's alias.
struct ObjectTerm {
  var identity: SQLFragment
  var isNullable: Bool
  let schema: RowSchema
  /// Nil if the object is only referred to.
  var alias: String?
  /// The identities on the path to this object: if one of them is NULL, so is the object's own identity.
  var through: [String] = []

  /// A column of the object's row.
  package func column(_ name: String, _ context: PredicateContext) -> SQLFragment {
    if let alias { return PredicateSQL.column(alias, name) }
    let other = context.makeAlias()
    return PredicateSQL.ofObject(
      PredicateSQL.column(other, name),
      table: schema.table,
      alias: other,
      identity: identity
    )
  }
}

extension ObjectTerm {
  /// The object of a row that the query reads under an alias.
  init(row alias: String, of schema: RowSchema) {
    let identity = PredicateSQL.column(alias, "objectID")
    self.init(identity: identity, isNullable: false, schema: schema, alias: alias)
  }
}

/// The stored objects of a to-many relationship, or those of them that match conditions.
struct CollectionTerm {
  let rows: SQLFragment
  var condition: SQLFragment
  /// The SQL that they are ordered by; nil if their order is not stored.
  let position: SQLFragment?
  /// The object of the current row.
  let element: ObjectTerm
}

/// A sealed property of an object.
struct SealedTerm {
  let owner: ObjectTerm
  /// The envelope; also NULL if there is no owner.
  package let column: SQLFragment
  let property: Property
}

/// A range; a nil bound is open.
struct RangeTerm {
  var lower: PredicateTerm?
  var upper: PredicateTerm?
  let includesUpper: Bool
}

/// The stored form of captured values that are compared with a term.
enum StoredForm: Sendable {
  /// The form of the value's own type.
  case natural
  /// The form of the property.
  case property(Property, of: RowSchema)

  func encode(_ value: Any) throws -> Value {
    guard let value = unwrapped(value) else { return .null }
    switch self {
    case .natural: return try NacreError.wrapping { try StoredForm.natural(value) }
    case .property(let property, let schema):
      guard case .value(let kind) = property.kind else { return try StoredForm.natural(value) }
      do {
        return try kind.encode(value)
      } catch {
        throw NacreError.wrap(error, at: schema, property: property.index, identity: nil)
      }
    }
  }

  private static func natural(_ value: Any) throws -> Value {
    if let value = value as? any StorableValue { return try value.storedValue }
    if let value = value as? OrderedText { return .text(value.text) }
    if let value = value as? any RawRepresentable {
      if let raw = value.rawValue as? any StorableValue { return try raw.storedValue }
    }
    throw NacreError.untranslatable("a captured \(type(of: value)) has no stored form")
  }
}
