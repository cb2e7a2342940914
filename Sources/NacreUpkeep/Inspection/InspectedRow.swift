public import Foundation
public import NacreCore
public import NacreCrypto

/// One stored object, or one row of a DAO's table, read by the catalog instead of by its class.
public struct InspectedRow: Sendable {
  /// The object's identifier; 16 zero bytes in the table of a DAO, whose rows have none.
  public let objectID: UUID
  /// The row's rowid, in the table of a DAO; nil in others.
  public let rowID: Int64?
  /// One value for each property that has a column, in the catalog's order.
  public let cells: [Cell]

  /// One property of the object.
  public struct Cell: Sendable {
    /// The property.
    public let property: PropertyDescription
    /// What its column holds.
    public let content: Content
  }

  /// What a column holds.
  public enum Content: Sendable {
    /// A value that is not sealed, or NULL.
    case plain(Value)
    /// A value of a sealed property that was not asked to be opened.
    case sealed(SealedDescription)
    /// The value that was sealed.
    case opened(Value)
    /// A value of a sealed property that can't be opened, and why.
    case failed(SealedDescription, NacreError)
  }
}

/// What can be said about a sealed value without a key.
public struct SealedDescription: Sendable, Equatable {
  /// The suite and the key that the value names; nil where it is no envelope of format 1.
  public let header: Header?
  /// How many bytes the column holds.
  public let byteCount: Int

  /// What stands at the front of an envelope; nothing of it is authenticated before the value is opened.
  public struct Header: Sendable, Equatable {
    /// The cipher suite.
    public let suite: Suite
    /// The key.
    public let keyID: KeyID
  }
}
