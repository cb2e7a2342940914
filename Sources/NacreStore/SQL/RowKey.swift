package import Foundation
import NacreSQLite

/// The key that tells the rows of a table of the catalog apart, and in whose order a pass goes
/// through them.
package enum RowKey: Sendable, Equatable {
  /// An entity's: 16 bytes of its own.
  case objectID
  /// An ordinary table's with columns of a DAO: SQLite's number of the row.
  case rowID

  /// The column, as the statements name it.
  ///
  /// Of the rowid's names the one that no table has for something else: see ``FoundTable/refusal``.
  package var column: String {
    switch self {
    case .objectID: "objectID"
    case .rowID: "_rowid_"
    }
  }

  /// The row in a column of the current row; nil where it is no objectID.
  package func identity(_ statement: Statement, at column: Int32 = 0) -> RowIdentity? {
    switch self {
    case .objectID: RowKey.objectID(statement, at: column).map { RowIdentity($0) }
    case .rowID: RowIdentity(rowID: statement.int64(at: column))
    }
  }

  /// The objectID in a column of the current row; nil where it is none.
  package static func objectID(_ statement: Statement, at column: Int32 = 0) -> ObjectID? {
    guard let bytes = statement.bytes(at: column), bytes.count == 16 else { return nil }
    return ObjectID(bytes: bytes)
  }

  /// The row that bytes name, which are those of a cursor; nil where they have another length.
  package func identity(_ bytes: UnsafeRawBufferPointer) -> RowIdentity? {
    switch self {
    case .objectID: bytes.count == 16 ? RowIdentity(ObjectID(bytes: bytes)) : nil
    case .rowID: RowKey.rowID(bytes).map { RowIdentity(rowID: $0) }
    }
  }

  /// The argument behind which a pass begins; without a cursor, before the first row.
  package func argument(_ cursor: Data?) -> Value {
    switch self {
    case .objectID: return .blob(cursor ?? Data())
    case .rowID:
      // Behind it even the least rowid there can be.
      let before = Value.real(-Double.infinity)
      return cursor.flatMap { $0.withUnsafeBytes(RowKey.rowID) }.map(Value.integer) ?? before
    }
  }

  /// The 8 bytes of a rowid, in whose order rowids are: the sign bit is turned over.
  package static func bytes(_ rowID: Int64) -> UInt64 {
    (UInt64(bitPattern: rowID) ^ 1 << 63).bigEndian
  }

  /// The rowid of 8 bytes; nil for any other number.
  package static func rowID(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard bytes.count == 8 else { return nil }
    return Int64(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) ^ 1 << 63)
  }
}

/// The place of a row.
package struct RowIdentity {
  /// The objectID to which its sealed values are bound; zeros if the row has only a rowid.
  package let objectID: ObjectID
  /// The rowid, where that is what tells it apart.
  package let rowID: Int64?

  package init(_ objectID: ObjectID) {
    self.objectID = objectID
    rowID = nil
  }

  package init(rowID: Int64) {
    objectID = ObjectID(high: 0, low: 0)
    self.rowID = rowID
  }

  /// The objectID for errors; nil where there is none.
  package var uuid: UUID? { rowID == nil ? objectID.uuid : nil }
  /// The rowid for errors, in words; nil where there is an objectID.
  package var words: String? { rowID.map { "row \($0)" } }
}
