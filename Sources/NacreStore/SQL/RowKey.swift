package import Foundation
import NacreEngine

/// The key that identifies the rows of a table in the catalog; a pass goes through the rows in its
/// order.
package enum RowKey: Sendable, Equatable {
  /// The key of an entity's table: the 16 bytes of an objectID.
  case objectID
  /// The key of an ordinary table with columns of a DAO: the number that the engine gives each row.
  case rowID

  /// Returns the key's column, as the statements name it.
  ///
  /// ``FoundTable/refusal`` keeps tables without such keys away from DAOs. So an engine without them
  /// is never asked, and a statement would name a column that does not exist.
  package func column(_ dialect: any Dialect) -> String {
    switch self {
    case .objectID: "objectID"
    case .rowID: dialect.rowKeyColumn ?? ""
    }
  }

  /// Returns the row named in a column of the current row; nil if the column holds no objectID.
  package func identity(_ statement: any PreparedStatement, at column: Int32 = 0) -> RowIdentity? {
    switch self {
    case .objectID: RowKey.objectID(statement, at: column).map { RowIdentity($0) }
    case .rowID: RowIdentity(rowID: statement.int64(at: column))
    }
  }

  /// Returns the objectID in a column of the current row; nil if there is none.
  package static func objectID(_ statement: any PreparedStatement, at column: Int32 = 0)
    -> ObjectID?
  {
    guard let bytes = statement.bytes(at: column), bytes.count == 16 else { return nil }
    return ObjectID(bytes: bytes)
  }

  /// Returns the row that a cursor's bytes name; nil if they have another length.
  package func identity(_ bytes: UnsafeRawBufferPointer) -> RowIdentity? {
    switch self {
    case .objectID: bytes.count == 16 ? RowIdentity(ObjectID(bytes: bytes)) : nil
    case .rowID: RowKey.rowID(bytes).map { RowIdentity(rowID: $0) }
    }
  }

  /// Returns the position of a walk from a stored cursor; without a cursor, it is before the first
  /// row.
  package func position(_ cursor: Data?) -> [Value] {
    guard let cursor else { return [] }
    switch self {
    case .objectID: return [.blob(cursor)]
    case .rowID:
      let rowID = cursor.withUnsafeBytes(RowKey.rowID)
      return rowID.map { [.integer($0)] } ?? []
    }
  }

  /// Returns the cursor to store for the position of a walk.
  package static func cursor(_ position: [Value]) -> Data? {
    switch position.first {
    case .blob(let bytes)?: bytes
    case .integer(let rowID)?: withUnsafeBytes(of: bytes(rowID)) { Data($0) }
    default: nil
    }
  }

  /// Returns the 8 bytes of a rowid with its sign bit flipped, so that the bytes sort as the rowids
  /// do.
  package static func bytes(_ rowID: Int64) -> UInt64 {
    (UInt64(bitPattern: rowID) ^ 1 << 63).bigEndian
  }

  /// Returns the rowid of 8 bytes; nil for any other number of bytes.
  package static func rowID(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard bytes.count == 8 else { return nil }
    return Int64(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) ^ 1 << 63)
  }
}

/// The identity of a row.
package struct RowIdentity {
  /// The objectID to which its sealed values are bound; zeros if the row has only a rowid.
  package let objectID: ObjectID
  /// The rowid, if that identifies the row; otherwise nil.
  package let rowID: Int64?

  package init(_ objectID: ObjectID) {
    self.objectID = objectID
    rowID = nil
  }

  package init(rowID: Int64) {
    objectID = ObjectID(high: 0, low: 0)
    self.rowID = rowID
  }

  /// The objectID for errors; nil if the row has only a rowid.
  package var uuid: UUID? { rowID == nil ? objectID.uuid : nil }
  /// The rowid for errors, in words; nil if the row has an objectID.
  package var words: String? { rowID.map { "row \($0)" } }
}
