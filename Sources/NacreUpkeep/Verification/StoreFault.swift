import NacreStore

/// A fault of a store outside its cells, or something worth a notice.
public struct StoreFault: Sendable, Codable, Hashable {
  /// The kind of fault.
  public let kind: Kind
  /// The entity concerned, if there is one.
  public let entity: String?
  /// The property concerned, if there is one.
  public let property: String?
  /// The details of the finding; never a value.
  public let detail: String

  init(_ kind: Kind, entity: String? = nil, property: String? = nil, _ detail: String) {
    self.kind = kind
    self.entity = entity
    self.property = property
    self.detail = detail
  }

  /// A kind of fault; later versions may find more, so a `switch` needs a `default`.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// SQLite finds the file damaged.
    case damaged
    /// A page of a sealed file does not open.
    case badPage
    /// A copy of a sealed file's header was damaged; the other one serves.
    case badHeader
    /// A sealed file has a log that is not its own, or of a later version.
    case badLog
    /// SQLite finds rows that refer to rows that do not exist.
    case foreignKey
    /// A row of the catalog has content that this version can't read.
    case badCatalog
    /// A trigger, view, index or other definition interferes with writes to the store's own tables.
    case foreignSchema
    /// An entity or relationship has no table.
    case missingTable
    /// A property has no column.
    case missingColumn
    /// A column is not of the kind that the catalog says.
    case wrongColumn
    /// A column lacks the index that searches it or keeps it unique, or an entity its full-text index.
    case missingIndex
    /// A full-text index does not hold what the rows hold.
    case fullText
    /// A column that the catalog does not know holds sealed values that no rotation reaches.
    case strayValues
    /// A row's identifier is invalid: nothing can refer to the row, and reading it fails.
    case badIdentifier
    /// The file is not in the write-ahead mode in which readers and writers work at once.
    case journalMode
    /// A rotation or conversion was begun and is not done.
    case unfinished
    /// The key ring does not match its MAC.
    case ringTampered
    /// The catalog differs from what a holder of the store key wrote: an older version of Nacre, or somebody without
    /// the key, has changed it.
    case catalogTampered
    /// As a notice: the catalog never had a MAC, so nobody can tell who wrote it.
    case catalogUnmarked
    /// As a notice: a property that hides its nils holds NULL, perhaps from before it hid them.
    case unsealedNils
    /// A purpose has no primary key, or more than one.
    case primaryKeys
    /// No secret can open a slot: somebody, or a later version, has written it.
    case badSlot
    /// The anchor in the file does not match its MAC.
    case anchorTampered
    /// The anchor in the file is lower than one that the open store has seen, or is gone.
    case olderThanAnchor
  }
}

extension StoreFault {
  /// A fault for one difference between the catalog and what was written.
  init(_ difference: CatalogDifference) {
    self.init(
      .catalogTampered,
      entity: difference.entity,
      property: difference.property,
      difference.description
    )
  }
}

extension StoreFault: CustomStringConvertible {
  /// The kind, the place and the detail.
  public var description: String {
    let place = [entity, property].compactMap { $0 }.joined(separator: ".")
    return kind.rawValue + (place.isEmpty ? "" : " at \(place)") + ": " + detail
  }
}
