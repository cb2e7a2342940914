import NacreEngine
import NacreStore
import NacreCrypto

/// Turns the rows of one entity into content that can be shown.
final class RowInspection {
  private let entity: CatalogEntity
  /// The store and its keys, which open sealed values; nil leaves them sealed.
  private let session: RingSession?
  private let columns: [(property: CatalogProperty, column: String, described: PropertyDescription)]
  private var sealed: [String: SealedColumn] = [:]

  init(entity: CatalogEntity, session: RingSession?) {
    self.entity = entity
    self.session = session
    columns = entity.properties.compactMap { property in
      property.column.map { (property, $0, PropertyDescription(property)) }
    }
  }

  func sql(_ dialect: any Dialect) -> String {
    let names = columns.map(\.column)
    return KeyedRowsSQL(table: entity.table, key: entity.key, columns: names, dialect).first
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
    guard let session else { return .sealed(sealed) }
    do {
      let cells = try cells(of: property, in: session.ring.storeID)
      return .opened(
        try cells.value(statement, at: column, of: identity.objectID, by: session)
      )
    } catch {
      var error = NacreError.wrap(error) as? NacreError ?? NacreError(.crypto, cause: error)
      error.entity = entity.name
      error.property = property.name
      error.objectID = identity.uuid
      return .failed(sealed, error)
    }
  }

  private func cells(of property: CatalogProperty, in storeID: StoreID) throws -> SealedColumn {
    if let known = sealed[property.name] { return known }
    let made = try SealedColumn(property, of: entity.name, in: storeID)
    sealed[property.name] = made
    return made
  }
}
