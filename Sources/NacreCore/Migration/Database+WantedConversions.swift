import NacreStore
import NacreUpkeep

extension Database {
  /// Returns the conversions of the properties that the classes seal differently from the file.
  func wantedConversions(of types: [any Entity.Type]) throws -> [ConversionRequest] {
    try refuseForeignCatalog()
    return try types.reachableSchemas.flatMap { try conversions(of: $0) }
  }

  private func conversions(of schema: EntitySchema) throws -> [ConversionRequest] {
    guard try scalar(CatalogSQL.selectEntity, [.text(schema.name)]) != nil else { return [] }
    try SealedDeclaration.check(schema)
    try FullTextDeclaration.check(schema, connection.dialect)
    let entity = try CatalogEntity.named(schema.name, on: connection)
    return try schema.properties.compactMap { property in
      guard let stored = entity.properties.first(where: { $0.name == property.name }),
        case .value(let kind) = property.kind
      else { return nil }
      let hook = home.provider(entity: schema.name, property: property.name)
      let wanted = CatalogProperty(property, of: schema, isHooked: hook != nil)
      // A difference of type or kind does not concern sealing; the use of the class reports it.
      guard stored.sealing?.form != wanted.sealing?.form, stored.type == wanted.type,
        stored.kind == wanted.kind
      else { return nil }
      let plainIndex: ConversionForm.PlainIndex =
        kind.isUnique ? .unique : kind.isIndexed ? .indexed : .none
      return try request(
        stored,
        of: entity,
        to: ConversionForm(wanted, plainIndex: wanted.isSealed ? .none : plainIndex)
      )
    }
  }
}
