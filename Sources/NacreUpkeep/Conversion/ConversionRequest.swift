import Foundation
import NacreCrypto
import NacreEngine
package import NacreStore

/// A request to convert the rows of one property to another form.
package struct ConversionRequest {
  package let place: ConversionPlace
  let sql: ConversionSQL
  package let from: ConversionForm
  package let to: ConversionForm
  package let total: Int

  /// The change that the conversion makes.
  package var change: SealingChange {
    SealingChange(place, from: from, to: to, done: 0, total: total)
  }
}

extension Database {
  /// Returns the conversion of the property of that name; nil if the property already has the form.
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
    let fault =
      entity.isDAO
      ? "the DAO's configuration decides what it seals; change it there" : options?.fault
    if let fault {
      let place = ConversionPlace(entity: entity.name, property: property)
      throw NacreError(.badDeclaration, at: place, detail: fault)
    }
    var wanted = stored
    wanted.sealing = options.map { CatalogProperty.Sealing($0) }
    if stored.sealing?.form == wanted.sealing?.form { return nil }
    return try request(stored, of: entity, to: ConversionForm(wanted))
  }

  /// Returns the conversion of a stored property to another form.
  package func request(
    _ stored: CatalogProperty,
    of entity: CatalogEntity,
    to form: ConversionForm
  ) throws -> ConversionRequest {
    let place = ConversionPlace(entity: entity.name, property: stored.name)
    guard let column = stored.column else { throw NacreError(.schemaMismatch, at: place) }
    return ConversionRequest(
      place: place,
      sql: ConversionSQL(table: entity.table, column: column),
      from: try ConversionForm(stored),
      to: form,
      total: try connection.rowCount(of: entity.table)
    )
  }

  /// Returns the conversions that the journal says are begun and not ended.
  ///
  /// - Throws: `ringTampered` if somebody without the store's key wrote to the journal.
  package func unfinishedConversions() throws -> [Conversion] {
    try RotationJournal.unfinished(on: connection).filter { $0.place != nil }.map { journal in
      // Without the ring nobody can go on with the conversion, so its row need not be verified.
      if home.keys.isUnlocked { try journal.verify(on: self) }
      return try Conversion(journal, on: self)
    }
  }
}

extension Database {
  /// Returns the property of an entity whose rows are being converted; nil if there is none.
  package func convertingProperty(of entity: String) throws -> String? {
    let found = try scalar(ConversionSQL.selectBlocking, [.text(entity)])
    return if case .text(let property)? = found { property } else { nil }
  }
}
