import NacreEngine
import NacreStore

// Checks of the tables that a class names for its relationships.

extension TableBuilder {
  /// Throws if links are the other side of what is none, or if a relationship's table has a name
  /// that something else has.
  func refuseRelationships() throws {
    var names: Set<SQLName> = []
    for property in schema.properties {
      guard let relationship = property.relationship else { continue }
      if relationship.isMirror { try refuseMirror(of: relationship, property) }
      guard let table = relationship.table else { continue }
      if !property.isToMany || relationship.inverse != nil {
        throw refusal(property, "only a to-many relationship without an inverse has a table")
      }
      if table.isEmpty || SQLText.isReserved(table: table) {
        throw refusal(property, "no application may give a table that name")
      }
      if SQLName(table) == SQLName(schema.table) || !names.insert(SQLName(table)).inserted {
        throw refusal(property, "another table of the class has that name")
      }
    }
  }

  private func refuseMirror(of relationship: Property.Relationship, _ property: Property) throws {
    let target = relationship.target.entitySchema
    guard let links = relationship.inverse.flatMap({ target.property($0) }),
      links.relationship?.inverse == nil
    else {
      throw refusal(
        property,
        "its inverse in \(target.name) has an inverse itself; only one of two sides names the other"
      )
    }
  }

  private func refusal(_ property: Property, _ detail: String) -> NacreError {
    NacreError(
      .badDeclaration,
      entity: schema.name,
      property: property.name,
      detail: detail
    )
  }
}

extension Property {
  /// Whether the property holds any number of objects.
  fileprivate var isToMany: Bool {
    switch kind {
    case .children, .links: true
    case .value, .child, .link: false
    }
  }
}
