import Foundation
import NacreCrypto
import NacreSQLite

/// A property whose rows shall get another form.
struct ConversionRequest {
  let place: ConversionPlace
  let table: String
  package let column: String
  let from: ConversionForm
  let to: ConversionForm
  let total: Int
}

extension Database {
  /// Returns the conversions of the properties that the classes seal otherwise than the file does.
  func wantedConversions(of types: [any Entity.Type]) throws -> [ConversionRequest] {
    try refuseForeignCatalog()
    return try types.reachableSchemas.flatMap { try conversions(of: $0) }
  }

  private func conversions(of schema: EntitySchema) throws -> [ConversionRequest] {
    guard try scalar(CatalogSQL.selectEntity, [.text(schema.name)]) != nil else { return [] }
    try SealedDeclaration.check(schema)
    let entity = try CatalogEntity.named(schema.name, on: connection)
    return try schema.properties.compactMap { property in
      guard let stored = entity.properties.first(where: { $0.name == property.name }),
        case .value(let kind) = property.kind
      else { return nil }
      let hook = home.provider(entity: schema.name, property: property.name)
      let wanted = CatalogProperty(property, of: schema, isHooked: hook != nil)
      // A difference of type or kind is no matter of sealing; using the class reports it.
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

  /// One property's conversion by name; nil where it lies like that already.
  func conversion(
    of property: String,
    of entity: String,
    to options: SealedOptions?
  ) throws -> ConversionRequest? {
    try refuseForeignCatalog()
    let entity = try CatalogEntity.named(entity, on: connection)
    guard let stored = entity.properties.first(where: { $0.name == property }) else {
      throw NacreError(.noSuchProperty, entity: entity.name, detail: property)
    }
    guard !entity.isDAO else {
      throw NacreError(
        .badDeclaration,
        entity: entity.name,
        property: property,
        detail: "a DAO's configuration says what it seals"
      )
    }
    if let fault = options.flatMap(SealedDeclaration.fault) {
      throw NacreError(
        .badDeclaration,
        entity: entity.name,
        property: property,
        detail: fault
      )
    }
    var wanted = stored
    wanted.sealing = options.map {
      CatalogProperty.Sealing(form: SealedForm($0), padding: $0.padding, suite: $0.suite)
    }
    if stored.sealing?.form == wanted.sealing?.form { return nil }
    return try request(stored, of: entity, to: ConversionForm(wanted))
  }

  private func request(
    _ stored: CatalogProperty,
    of entity: CatalogEntity,
    to form: ConversionForm
  ) throws -> ConversionRequest {
    guard let column = stored.column else {
      throw NacreError(.schemaMismatch, entity: entity.name, property: stored.name)
    }
    return ConversionRequest(
      place: ConversionPlace(entity: entity.name, property: stored.name),
      table: entity.table,
      column: column,
      from: try ConversionForm(stored),
      to: form,
      total: try scalar(InspectionSQL.count(table: entity.table)).map { try Int(storedValue: $0) }
        ?? 0
    )
  }

  /// The conversions that the journal has begun and not ended.
  ///
  /// - Throws: `ringTampered` for what was written to the journal by something else.
  func unfinishedConversions() throws -> [Conversion] {
    try RotationJournal.unfinished(on: connection).filter(\.isConversion).map { journal in
      // Without the ring nobody goes on with it.
      if home.keys.isUnlocked { try journal.verify(on: self) }
      return try Conversion(journal, on: self)
    }
  }
}
