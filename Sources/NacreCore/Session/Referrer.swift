import NacreEngine
import NacreStore

/// One relationship in the catalog that can refer to an entity's objects, no matter which class
/// declared it.
struct Referrer {
  /// The entity that has the relationship.
  let entity: String
  /// Whether it only refers to its objects, as links do, and does not own them.
  let isLink: Bool
  /// The statement that finds the owner and target of each reference to one target.
  let ofOne: any PreparedStatement
  /// The statement that finds the owner and target of each reference to a set of targets.
  let ofMany: any PreparedStatement
}

extension EntitySession {
  /// Returns the relationships that can refer to an entity's objects; reads them again if the
  /// store's tables have changed.
  ///
  /// - Parameters:
  ///   - schema: The entity.
  ///   - layout: The connection's layout number now.
  /// - Returns: The relationships, whichever classes have them.
  /// - Throws: The errors of reading the catalog.
  func referrers(of schema: EntitySchema, at layout: Int64) throws -> [Referrer] {
    if layout != referrerCache.version { referrerCache = (layout, [:]) }
    if let known = referrerCache.byEntity[schema.number] { return known }
    var found: [Referrer] = []
    try connection.each(CatalogSQL.selectReferrers, [.text(schema.name)]) { row in
      let entity = row.text(at: 0)
      let (table, column, join) = (row.text(at: 1), row.text(at: 3), row.text(at: 5))
      let kind = row.text(at: 4)
      // Skip a link that stores children: it says whose child its object is, not that the object
      // needs its owner.
      if holdsChildren(entity, row.text(at: 2), of: schema) { return }
      let place: (table: String, owner: String, target: String)
      switch kind {
      case "child", "link": place = (table, "objectID", column)
      case "children" where !join.isEmpty, "links" where !join.isEmpty:
        place = (join, "owner", "child")
      default: return
      }
      found.append(
        Referrer(
          entity: entity,
          isLink: kind == "link" || kind == "links",
          ofOne: try connection.prepare(
            RelationshipSQL.referrersOfOne(place.table, place.owner, place.target)
          ),
          ofMany: try connection.prepare(
            RelationshipSQL.referrers(place.table, place.owner, place.target, connection.dialect)
          )
        )
      )
    }
    referrerCache.byEntity[schema.number] = found
    return found
  }

  private func holdsChildren(_ entity: String, _ link: String, of schema: EntitySchema) -> Bool {
    schema.properties.contains { property in
      guard case .children(let relationship) = property.kind, let inverse = relationship.inverse
      else { return false }
      let target = relationship.target.entitySchema
      return target.name == entity && target.property(inverse)?.name == link
    }
  }
}
