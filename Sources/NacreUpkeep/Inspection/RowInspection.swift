import NacreEngine
import NacreStore
import NacreCrypto
import NacreSQLite

/// Turns the rows of one entity into content that can be shown.
final class RowInspection {
  private let entity: CatalogEntity
  /// Opens sealed values; nil leaves them sealed.
  private let opener: CellOpener?
  private let columns: [(property: CatalogProperty, column: String, described: PropertyDescription)]
  private var contexts: [String: FieldContext] = [:]

  init(entity: CatalogEntity, opener: CellOpener?) {
    self.entity = entity
    self.opener = opener
    columns = entity.properties.compactMap { property in
      property.column.map { (property, $0, PropertyDescription(property)) }
    }
  }

  func sql(_ dialect: any Dialect) -> String {
    InspectionSQL.rows(
      table: entity.table,
      key: entity.key,
      columns: columns.map(\.column),
      dialect
    )
  }

  func row(_ statement: any PreparedStatement) throws -> InspectedRow {
    let identity =
      entity.isDAO
      ? RowIdentity(rowID: statement.int64(at: 0))
      : RowIdentity(try ObjectID.read(from: statement, at: 0))
    let cells = columns.enumerated().map { index, item in
      InspectedRow.Cell(
        property: item.described,
        content: content(of: item.property, statement, Int32(index + 1), identity)
      )
    }
    return InspectedRow(
      objectID: identity.objectID.uuid,
      rowID: identity.rowID,
      cells: cells
    )
  }

  private func content(
    of property: CatalogProperty,
    _ statement: any PreparedStatement,
    _ column: Int32,
    _ identity: RowIdentity
  ) -> InspectedRow.Content {
    let found = statement.storageClass(at: column)
    guard property.isSealed, found != .null else { return .plain(statement.value(at: column)) }
    let bytes = statement.blob(at: column)
    let header = found == .blob ? try? EnvelopeHeader.parse(bytes) : nil
    let sealed = SealedDescription(
      header: header.map { .init(suite: $0.suite, keyID: $0.keyID) },
      byteCount: bytes.count
    )
    guard let opener else { return .sealed(sealed) }
    do {
      guard found == .blob else { throw NacreError(.notAnEnvelope) }
      let context = try context(of: property, opener)
      let place = identity.objectID
      return .opened(try opener.open(bytes, in: context, place) { try Value($0) })
    } catch {
      return .failed(sealed, located(error, property, identity))
    }
  }

  private func context(
    of property: CatalogProperty,
    _ opener: CellOpener
  ) throws -> FieldContext {
    if let context = contexts[property.name] { return context }
    let context = try property.context(of: entity.name, in: opener.ring.storeID)
    contexts[property.name] = context
    return context
  }

  private func located(
    _ error: any Error,
    _ property: CatalogProperty,
    _ identity: RowIdentity
  ) -> NacreError {
    var error = NacreError.wrap(error) as? NacreError ?? NacreError(.crypto, cause: error)
    error.entity = entity.name
    error.property = property.name
    error.objectID = identity.uuid
    return error
  }
}
