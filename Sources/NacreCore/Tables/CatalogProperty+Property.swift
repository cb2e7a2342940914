import NacreEngine
import NacreStore

extension CatalogProperty {
  /// Makes the row of the catalog for a class's property.
  init(_ property: Property, of schema: RowSchema, isHooked: Bool) {
    let relationship = RelationshipSQL(owner: schema, property: property)
    self.init(name: property.name, type: "BLOB", kind: property.kind.name)
    column = property.hasColumn ? property.column : nil
    target = relationship?.target.name
    join = property.isMirror ? nil : relationship?.joinTable
    inverse = relationship?.inverseColumn
    guard case .value(let value) = property.kind else { return }
    type = TableSQL.affinity(value.storageClass)
    isOptional = value.acceptsNull
    fullText = property.isFullText ? schema.tokenizer : nil
    sealing = value.sealing.map {
      Sealing($0, isHooked: isHooked)
    }
  }
}

extension Property.Kind {
  /// The kind's name in the catalog.
  var name: String {
    switch self {
    case .value: "value"
    case .child: "child"
    case .children: "children"
    case .link: "link"
    case .links: "links"
    }
  }
}
