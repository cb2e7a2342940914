import NacreCrypto
import NacreSQLite

/// Turns the rows of one entity into what can be shown of them.
final class RowInspection {
  private let entity: EntityDescription
  private let storeID: StoreID
  /// Nil leaves sealed values sealed.
  private let opener: FieldOpener?
  private let scratch = ScratchBuffer()
  private let columns: [(property: PropertyDescription, column: String)]

  init(entity: EntityDescription, storeID: StoreID, opener: FieldOpener?) {
    self.entity = entity
    self.storeID = storeID
    self.opener = opener
    columns = entity.properties.compactMap { property in
      property.column.map { (property, $0) }
    }
  }

  var sql: String { InspectionSQL.rows(table: entity.table, columns: columns.map(\.column)) }

  func row(_ statement: Statement) throws -> InspectedRow {
    let identity = try ObjectID.read(from: statement, at: 0)
    let cells = columns.enumerated().map { index, item in
      InspectedRow.Cell(
        property: item.property,
        content: content(of: item.property, statement, Int32(index + 1), identity)
      )
    }
    return InspectedRow(objectID: identity.uuid, cells: cells)
  }

  private func content(
    of property: PropertyDescription,
    _ statement: Statement,
    _ column: Int32,
    _ identity: ObjectID
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
      return .opened(try open(bytes, property, identity, with: opener))
    } catch {
      return .failed(sealed, located(error, property, identity))
    }
  }

  private func open(
    _ sealed: UnsafeRawBufferPointer,
    _ property: PropertyDescription,
    _ identity: ObjectID,
    with opener: FieldOpener
  ) throws -> Value {
    let context = try FieldContext(storeID: storeID, entity: entity.name, property: property.name)
    let out = try scratch.reserve(sealed.count)
    defer { scratch.cleanse() }
    let count = try opener.open(
      sealed,
      context: context,
      objectID: ObjectIDBytes(identity),
      into: out
    )
    let payload = UnsafeRawBufferPointer(rebasing: out[..<count])
    return try FieldSealing.value(PayloadReader(payload))
  }

  private func located(
    _ error: any Error,
    _ property: PropertyDescription,
    _ identity: ObjectID
  ) -> NacreError {
    var error = NacreError.wrap(error) as? NacreError ?? NacreError(.crypto, cause: error)
    error.entity = entity.name
    error.property = property.name
    error.objectID = identity.uuid
    return error
  }
}
