import Foundation
import NacreSQLite

/// What an expression of a predicate stands for.
indirect enum PredicateTerm {
  /// A value that SQL computes.
  case scalar(ScalarTerm)
  /// A stored object, or none.
  case object(ObjectTerm)
  /// A link to a stored object, or none.
  case link(ObjectTerm)
  /// Stored objects of a to-many relationship.
  case collection(CollectionTerm)
  /// A sealed property.
  case sealed(SealedTerm)
  /// A range with bounds of its own.
  case range(RangeTerm)
  /// A value that the predicate captured; how it is stored follows from what it is compared with.
  case captured(Any)
}

/// A value that SQL computes.
struct ScalarTerm: Sendable {
  var sql: SQLFragment
  var isNullable = false
  /// Whether it is a Bool for which NULL stands for false; otherwise NULL is nil.
  var isCondition = false
  var form = StoredForm.natural
  /// The function that orders it, where that is not the order of what is stored.
  var comparison: ScalarFunction?

  /// The same, never NULL where that stands for false.
  var settled: ScalarTerm {
    guard isNullable && isCondition else { return self }
    return ScalarTerm(sql: PredicateSQL.settled(sql), isCondition: true)
  }

  /// Nil.
  static let missing = ScalarTerm(sql: PredicateSQL.null, isNullable: true)

  /// Whether it is nil in every row.
  var isMissing: Bool { sql.text == PredicateSQL.null.text }

  var negated: ScalarTerm { ScalarTerm(sql: PredicateSQL.not(settled.sql), isCondition: true) }
}

/// A stored object: the value that identifies it and, within its own row, that row's alias.
struct ObjectTerm {
  var identity: SQLFragment
  var isNullable: Bool
  let schema: EntitySchema
  /// Nil where the object is only referred to.
  var alias: String?
  /// The identities by way of which it is referred to: where one of them is NULL, so is its own.
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

/// The stored objects of a to-many relationship, or those of them that conditions are true of.
struct CollectionTerm {
  let rows: SQLFragment
  var condition: SQLFragment
  /// What they are ordered by; nil where their order is not stored.
  let position: SQLFragment?
  /// The object of the current row.
  let element: ObjectTerm
}

/// A sealed property of an object.
struct SealedTerm {
  let owner: ObjectTerm
  /// The envelope; NULL as well where there is no owner.
  package let column: SQLFragment
  let property: Property
}

/// A range; a bound that is nil is open.
struct RangeTerm {
  var lower: PredicateTerm?
  var upper: PredicateTerm?
  let includesUpper: Bool
}

/// How captured values are stored that are compared with a term.
enum StoredForm: Sendable {
  /// As their own type has it.
  case natural
  /// As the property has it.
  case property(Property, of: EntitySchema)

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

// MARK: - Optionals of any depth

/// What a value holds below all its optionals, or nil.
func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any AnyOptional else { return value }
  return optional.wrapped.flatMap { unwrapped($0) }
}

/// A type without its optionals.
package func unwrapped(_ type: Any.Type) -> Any.Type {
  guard let optional = type as? any AnyOptional.Type else { return type }
  return unwrapped(optional.wrappedType)
}
