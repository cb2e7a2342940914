import Foundation
import NacreEngine
import NacreStore

extension PredicateExpressions.KeyPath: SQLTranslatable {
  func term(_ context: PredicateContext) throws -> PredicateTerm {
    switch try context.term(root) {
    case .object(let object): return try object.property(keyPath, context)
    case .link(let link): return try ofLink(link)
    case .collection(let collection): return try ofCollection(collection)
    case .scalar(let value): return .scalar(try ofValue(value, context))
    case .captured(let value):
      // Evaluated here and not by Foundation, because the root may be a variable that stands for a captured value.
      guard let value = value as? Root.Output else { return try context.constant(self, or: words) }
      return .captured(value[keyPath: keyPath as Swift.KeyPath<Root.Output, Output>])
    case .sealed(let sealed): throw sealed.refusal()
    case .range: throw NacreError.untranslatable(words)
    }
  }

  /// Names the type, because the description of a computed property's key path is an address.
  private var words: String { "a property of \(unwrapped(Root.Output.self))" }

  private func ofLink(_ link: ObjectTerm) throws -> PredicateTerm {
    guard let paths = unwrapped(Root.Output.self) as? any LinkPaths.Type else {
      throw NacreError.untranslatable(words)
    }
    if keyPath == paths.objectIDPath {
      return .scalar(ScalarTerm(sql: link.identity, isNullable: link.isNullable))
    }
    if keyPath == paths.loadedPath {
      var object = link
      object.isNullable = true
      return .object(object)
    }
    throw NacreError.untranslatable(words, instead: "a link has objectID and loaded")
  }

  private func ofCollection(_ collection: CollectionTerm) throws -> PredicateTerm {
    let links = Root.Output.self as? any LinksPaths.Type
    if let links, keyPath == links.elementsPath { return .collection(collection) }
    switch kind {
    case .collectionCount:
      let sql = PredicateSQL.count(collection.rows, collection.condition)
      return .scalar(ScalarTerm(sql: sql))
    case .collectionIsEmpty:
      let sql = PredicateSQL.not(PredicateSQL.exists(collection.rows, collection.condition))
      return .scalar(ScalarTerm(sql: sql, isCondition: true))
    case .collectionFirst: return .object(try collection.end(isLast: false))
    case .bidirectionalCollectionLast: return .object(try collection.end(isLast: true))
    default:
      throw NacreError.untranslatable(
        words,
        instead: "a relationship has count, isEmpty, first and last"
      )
    }
  }

  private func ordered(_ value: ScalarTerm, by comparison: EngineFunction) -> ScalarTerm {
    ScalarTerm(sql: value.sql, isNullable: value.isNullable, comparison: comparison)
  }

  /// A property of a value; for texts and bytes, the properties that SQL or a function can compute.
  private func ofValue(
    _ value: ScalarTerm,
    _ context: PredicateContext
  ) throws -> ScalarTerm {
    func made(_ sql: SQLFragment, isCondition: Bool = false) -> ScalarTerm {
      ScalarTerm(sql: sql, isNullable: value.isNullable, isCondition: isCondition)
    }
    switch keyPath {
    case \String.count:
      return made(PredicateSQL.call(try context.name(of: .characterCount), value.sql))
    case \String.isEmpty: return made(PredicateSQL.isEmpty(value.sql), isCondition: true)
    case \Data.count: return made(PredicateSQL.byteCount(value.sql))
    case \Data.isEmpty:
      let count = PredicateSQL.byteCount(value.sql)
      return made(
        PredicateSQL.equal(count, "0", mayBeNull: false, isNegated: false),
        isCondition: true
      )
    case \String.foldedForSearch:
      return made(PredicateSQL.call(try context.name(of: .fold), value.sql))
    case \String.ignoringCase: return ordered(value, by: .compareIgnoringCase)
    case \String.localized: return ordered(value, by: .compareLocalized)
    case \ComparisonResult.rawValue: return value
    default:
      throw NacreError.untranslatable(
        words,
        instead: "compare the property itself with a captured value"
      )
    }
  }
}

extension ObjectTerm {
  /// A property of the object.
  func property(_ path: AnyKeyPath, _ context: PredicateContext) throws -> PredicateTerm {
    if schema.isObjectID(path) {
      return .scalar(ScalarTerm(sql: identity, isNullable: isNullable))
    }
    guard let property = schema.property(path) else {
      throw schema.error(.untranslatablePredicate, path, "is not a stored property")
    }
    switch property.kind {
    case .value(let kind):
      let column = column(property.column, context)
      if kind.sealing != nil {
        return .sealed(SealedTerm(owner: self, column: column, property: property))
      }
      return .scalar(
        ScalarTerm(
          sql: column,
          isNullable: kind.acceptsNull || alias == nil,
          form: .property(property, of: schema)
        )
      )
    case .child(let relationship): return .object(reference(property, relationship, context))
    case .link(let relationship): return .link(reference(property, relationship, context))
    case .children, .links: return .collection(try elements(property, context))
    }
  }

  private func reference(
    _ property: Property,
    _ relationship: Property.Relationship,
    _ context: PredicateContext
  ) -> ObjectTerm {
    ObjectTerm(
      identity: column(property.column, context),
      isNullable: true,
      schema: relationship.target.entitySchema,
      through: through + [identity.text]
    )
  }

  private func elements(
    _ property: Property,
    _ context: PredicateContext
  ) throws -> CollectionTerm {
    guard let relationship = RelationshipSQL(owner: schema, property: property) else {
      throw schema.error(.noSuchProperty, of: property)
    }
    let alias = context.makeAlias()
    let parts = PredicateSQL.elements(
      relationship,
      alias: alias,
      join: context.makeAlias(),
      owner: identity
    )
    return CollectionTerm(
      rows: parts.rows,
      condition: parts.condition,
      position: parts.position,
      element: ObjectTerm(row: alias, of: relationship.target)
    )
  }
}

extension CollectionTerm {
  /// The first or last element.
  fileprivate func end(isLast: Bool) throws -> ObjectTerm {
    guard let position else {
      throw NacreError.untranslatable("first or last of a relationship whose order is not stored")
    }
    let identity = PredicateSQL.first(
      element.identity,
      rows,
      condition,
      by: position,
      isLast: isLast
    )
    return ObjectTerm(identity: identity, isNullable: true, schema: element.schema)
  }
}

/// The key paths that a predicate can use on a link.
protocol LinkPaths {
  static var objectIDPath: AnyKeyPath { get }
  static var loadedPath: AnyKeyPath { get }
}

extension Link: LinkPaths {
  static var objectIDPath: AnyKeyPath { \Link.objectID }
  static var loadedPath: AnyKeyPath { \Link.loaded }
}
