public import Foundation
public import NacreEngine
public import NacreStore
public import NacreCrypto

/// One stored object, or one row of a DAO's table, read with the catalog instead of its class.
public struct InspectedRow: Sendable {
  /// The object's identifier; 16 zero bytes for a row of a DAO's table, which has none.
  public let objectID: UUID
  /// The rowid of a row in a DAO's table; nil in other tables.
  public let rowID: Int64?
  /// One value for each property that has a column, in the catalog's order.
  public let cells: [Cell]

  /// One property of the object.
  public struct Cell: Sendable {
    /// The property.
    public let property: PropertyDescription
    /// The content of its column.
    public let content: Content
  }

  /// The content of a column.
  public enum Content: Sendable {
    /// A value that is not sealed, or NULL.
    case plain(Value)
    /// A sealed value that the caller did not ask to open.
    case sealed(SealedDescription)
    /// The opened value.
    case opened(Value)
    /// A sealed value that can't be opened, and the reason.
    case failed(SealedDescription, NacreError)
  }
}

/// The properties of a sealed value that are visible without a key.
public struct SealedDescription: Sendable, Equatable {
  /// The suite and the key that the value names; nil if it is not an envelope of format 1.
  public let header: Header?
  /// How many bytes the column holds.
  public let byteCount: Int

  /// The front of an envelope; nothing in it is authenticated before the value is opened.
  public struct Header: Sendable, Equatable {
    /// The cipher suite.
    public let suite: Suite
    /// The key.
    public let keyID: KeyID
  }
}
