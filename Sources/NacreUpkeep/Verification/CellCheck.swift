import Foundation
import NacreEngine
import NacreStore
import NacreCrypto

/// The finding for one cell of a sealed property.
struct CellFinding {
  var fault: BadCell.Fault?
  /// The key that the envelope names.
  var keyID: KeyID?
  var isNil = false
  /// Whether it is NULL although its property hides nils: it may be older than that setting.
  var isUnsealedNil = false
  /// Whether the blind index is right, but not under the primary index key.
  var isUnderOtherKey = false
}

/// Checks the cells of one sealed property, each with its blind index, using only the catalog.
final class CellCheck {
  let property: CatalogProperty
  private let table: String
  private let form: SealedForm
  private let column: SealedColumn
  private let session: RingSession
  /// The index under each key that may have made a token, the primary key first; empty if the property has no index.
  private let indexes: [BlindIndex]
  private let connection: any EngineConnection

  init(
    _ property: CatalogProperty,
    of entity: CatalogEntity,
    session: RingSession,
    connection: any EngineConnection
  ) throws {
    self.property = property
    self.session = session
    self.connection = connection
    table = entity.table
    column = try SealedColumn(property, of: entity.name, in: session.ring.storeID)
    form = column.sealing.form
    indexes = try column.indexes(in: session.ring)
  }

  /// Checks the cell in a column of the current row, and the index in the next column.
  ///
  /// - Throws: errors that are not the cell's fault.
  func check(_ row: any PreparedStatement, at position: Int32, _ identity: ObjectID) throws
    -> CellFinding
  {
    var finding = CellFinding()
    guard !row.isNull(at: position) else {
      finding.isNil = true
      if property.isOptional == false {
        finding.fault = .nullNotAllowed
      } else if property.isFilled, !property.isHidden {
        finding.fault = .nullNotSealed
      } else if form.index != nil, !row.isNull(at: position + 1) {
        finding.fault = .strayIndex
      }
      finding.isUnsealedNil = form.hidesNil && finding.fault == nil
      return finding
    }
    do {
      guard let sealed = row.bytes(at: position) else {
        finding.fault = .notAnEnvelope
        return finding
      }
      finding.keyID = try EnvelopeHeader.parse(sealed).keyID
      try column.open(sealed, of: identity, by: session) { payload in
        finding.isNil = payload.isNull
        finding.fault = try property.fault(of: payload)
        if finding.fault == nil { try checkIndex(payload, row, position + 1, identity, &finding) }
      }
    } catch let error as CryptoError {
      guard let fault = BadCell.Fault(error) else { throw error }
      finding.fault = fault
    }
    return finding
  }

  /// The token that the cell in a column should have; nil if the cell is NULL or has no index.
  ///
  /// - Throws: an error if the cell does not open.
  func token(_ row: any PreparedStatement, at position: Int32, _ identity: ObjectID) throws
    -> [UInt8]?
  {
    guard let sealed = row.bytes(at: position) else { return nil }
    return try column.open(sealed, of: identity, by: session) { payload in
      try indexes.first?.token(payload.type, payload.value)
    }
  }

  private func checkIndex(
    _ payload: PayloadReader,
    _ row: any PreparedStatement,
    _ position: Int32,
    _ identity: ObjectID,
    _ finding: inout CellFinding
  ) throws {
    if indexes.isEmpty { return }
    guard !row.isNull(at: position) else {
      finding.fault = .missingIndex
      return
    }
    let stored = row.bytes(at: position).map { Array($0) }
    let tokens = try indexes.map { try $0.token(payload.type, payload.value) }
    if stored == tokens.first { return }
    guard let stored, tokens.contains(stored), let index = property.indexColumn else {
      finding.fault = .wrongIndex
      return
    }
    finding.isUnderOtherKey = true
    guard form.index?.isUnique == true else { return }
    let isTwin = try tokens.contains { token in
      try token != stored && connection.isTaken(token, in: index, of: table, but: identity)
    }
    if isTwin { finding.fault = .duplicateUnique }
  }
}

extension CatalogProperty {
  /// The fault of an opened value of a sealed property; nil if it has none.
  ///
  /// - Throws: ``CryptoError`` for a wrong type and for text that is not UTF-8.
  func fault(of payload: PayloadReader) throws(CryptoError) -> BadCell.Fault? {
    if payload.isNull {
      guard sealing?.form.hidesNil == true else { return .wrongType }
      return isOptional == false ? .nullNotAllowed : nil
    }
    if let payloadType { try payload.expect(payloadType) }
    if payload.type == .text { _ = try payload.text() }
    return nil
  }

  /// The only type that a sealed value may have; nil if the file can't tell, because a property of any type is stored
  /// like an optional BLOB.
  var payloadType: PayloadType? {
    switch type {
    case "INTEGER": .integer
    case "REAL": .real
    case "TEXT": .text
    case "BLOB" where isOptional == false: .blob
    default: nil
    }
  }
}
