import NacreCore

/// Something that is wrong with a store beside its cells, or that is worth a notice.
public struct StoreFault: Sendable, Codable, Hashable {
  /// What is wrong.
  public let kind: Kind
  /// The entity concerned, where there is one.
  public let entity: String?
  /// The property concerned, where there is one.
  public let property: String?
  /// What exactly was found; never a value.
  public let detail: String

  init(_ kind: Kind, entity: String? = nil, property: String? = nil, _ detail: String) {
    self.kind = kind
    self.entity = entity
    self.property = property
    self.detail = detail
  }

  /// A kind of fault; later versions may find more, so that a `switch` needs a `default`.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// SQLite finds the file damaged.
    case damaged
    /// SQLite finds rows that refer to rows that are not there.
    case foreignKey
    /// A row of the catalog says what this version can't read.
    case badCatalog
    /// A trigger, view, index or other definition takes part in what is written to the store's own tables.
    case foreignSchema
    /// An entity or relationship has no table.
    case missingTable
    /// A property has no column.
    case missingColumn
    /// A column is not of the kind that the catalog says.
    case wrongColumn
    /// A column lacks its index, by which it is searched or kept unique.
    case missingIndex
    /// A column that the catalog does not know holds sealed values that no rotation reaches.
    case strayValues
    /// A row's identifier is not one: nothing can refer to it, and reading it fails.
    case badIdentifier
    /// The file is not in the write-ahead mode in which readers and writers work at once.
    case journalMode
    /// A rotation or conversion was begun and is not done.
    case unfinished
    /// The key ring does not match its MAC.
    case ringTampered
    /// The catalog is not as a holder of the store key wrote it: an older version of Nacre, or somebody without the key,
    /// has changed it.
    case catalogTampered
    /// As a notice: the catalog never had a MAC, so that nobody can tell who wrote it.
    case catalogUnmarked
    /// As a notice: a property that hides its nils holds NULL, and may have held it before.
    case unsealedNils
    /// A purpose has no primary key, or more than one.
    case primaryKeys
    /// A row of the slots is none that a secret could open: somebody has written it, or a later version.
    case badSlot
    /// The anchor in the file does not match its MAC.
    case anchorTampered
    /// The anchor in the file is less than one that the open store has seen, or gone.
    case olderThanAnchor
  }
}

extension StoreFault {
  /// A thing in which the catalog is not as it was written.
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
