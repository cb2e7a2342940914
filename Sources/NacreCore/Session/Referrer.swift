import NacreEngine
import NacreStore

/// One relationship in the catalog that can refer to an entity's objects, no matter which class
/// declared it.
struct Referrer {
  /// The entity that has the relationship.
  let entity: String
  /// The statement that finds the owner and target of each reference to a set of targets.
  let statement: any PreparedStatement
}

extension EntitySession {
  /// Returns the relationships that can refer to an entity's objects; reads them again if the
  /// store's tables have changed.
  func referrers(of schema: EntitySchema) throws -> [Referrer] {
    let version = try connection.layoutNumber()
    if version != referrerCache.version {
      referrerCache = (version, [:])
    }
    if let known = referrerCache.byEntity[schema.name] { return known }
    var found: [Referrer] = []
    try connection.each(CatalogSQL.selectReferrers, [.text(schema.name)]) { row in
      let entity = row.text(at: 0)
      let (table, column, join) = (row.text(at: 1), row.text(at: 3), row.text(at: 5))
      // Skip a link that stores children: it says whose child its object is, not that the object
      // needs its owner.
      if holdsChildren(entity, row.text(at: 2), of: schema) { return }
      let text: String
      switch row.text(at: 4) {
      case "child", "link": text = RelationshipSQL.referrers(table, "objectID", column)
      case "children" where !join.isEmpty, "links" where !join.isEmpty:
        text = RelationshipSQL.referrers(join, "owner", "child")
      default: return
      }
      found.append(Referrer(entity: entity, statement: try connection.prepare(text)))
    }
    referrerCache.byEntity[schema.name] = found
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
