public import Foundation
public import NacreStore
public import NacreCrypto

/// The content of a store's own tables: its keys, its slots and its entities, without values and secrets.
public struct StoreDescription: Sendable {
  /// The path of the file.
  public let path: String
  /// The identifier that distinguishes this store's sealed values from those of every other store.
  public let storeID: StoreID
  /// The version of the file's format.
  public let format: Int
  /// The store's own version: the name of the last migration step that was done; nil if it has none.
  public let schemaVersion: String?
  /// The key ring; nil if the store has none.
  public let ring: RingDescription?
  /// The keys of the sealed file, by id; empty if the file is not sealed.
  public let fileKeys: [KeyDescription]
  /// The last anchor that was taken; nil if there is none.
  public let anchor: AnchorDescription?
  /// The slots, whose secrets unlock the ring.
  public let slots: [SlotDescription]
  /// The entities, by name.
  public let entities: [EntityDescription]
}

/// The key ring of a store.
public struct RingDescription: Sendable {
  /// A number that goes up by one with every change of the ring.
  public let generation: UInt64
  /// Whether the ring's MAC was checked, which needs an unlocked store; otherwise the ring is only what the file says.
  public let isVerified: Bool
  /// The keys, by id.
  public let keys: [KeyDescription]
}

/// A data key, without the key.
public struct KeyDescription: Sendable {
  /// The key's number, which is in every value that it sealed.
  public let id: KeyID
  /// The key's purpose: sealing values, computing blind indexes, or sealing the file's pages.
  public let purpose: KeyPurpose
  /// The suite that it seals with.
  public let suite: Suite
  /// The key's state, which decides what it may do.
  public let state: KeyState
  /// When the key was made.
  public let created: Date
}

/// An entity as the catalog has it.
public struct EntityDescription: Sendable {
  /// The entity's name; for a table of DAOs, `dao:` and the table's name, and the catalog knows only its sealed
  /// columns.
  public let name: String
  /// The table that holds its rows.
  public let table: String
  /// The version of its schema.
  public let version: Int
  /// How many objects, or rows, are stored.
  public let rowCount: Int
  /// Its properties, by name.
  public let properties: [PropertyDescription]
}

/// A property as the catalog has it.
public struct PropertyDescription: Sendable {
  /// The property's name.
  public let name: String
  /// The column in the entity's table; nil for a to-many relationship.
  public let column: String?
  /// The column's type: `INTEGER`, `REAL`, `TEXT` or `BLOB`; for a sealed property the type of the sealed value, `ANY`
  /// for a DAO's.
  public let type: String
  /// How its values are sealed; nil if they are not.
  public let sealing: SealingDescription?
  /// `value`, `child`, `children`, `link` or `links`; `dao` for a column of a DAO's sealed values.
  public let kind: String
  /// The entity that a relationship refers to; for a DAO's column, the class whose values it holds.
  public let target: String?
  /// The table that holds a to-many relationship, if neither end has a column for it.
  public let joinTable: String?
  /// The column in the target's table that holds a to-many relationship, if there is one; for a DAO's column, the
  /// property whose values it holds.
  public let inverseColumn: String?
  /// Whether nil is allowed; nil if the file does not say.
  public let isOptional: Bool?
  /// Whether the class that used the table last has the property; if not, the store keeps the old values.
  public let isDeclared: Bool

  /// Whether its values are sealed.
  public var isSealed: Bool { sealing != nil }
}

/// How a property's values are sealed.
public struct SealingDescription: Sendable {
  /// The blind index by which objects are fetched; nil if there is none.
  public let index: IndexDescription?
  /// Whether nil is sealed, too.
  public let hidesNil: Bool
  /// How lengths are hidden.
  public let padding: Padding
  /// The suite that seals new values; nil for the store's suite.
  public let suite: Suite?
  /// Whether the application's own provider seals; then neither rotation nor verification can read the values.
  public let isHooked: Bool
}

/// The blind index of a sealed property.
public struct IndexDescription: Sendable {
  /// The hidden column that holds it.
  public let column: String
  /// Its width in bits.
  public let bits: Int
  /// How texts are normalized to be comparable.
  public let normalizer: Normalizer
  /// Whether no two objects may have the same value.
  public let isUnique: Bool
}

extension PropertyDescription {
  init(_ property: CatalogProperty) {
    name = property.name
    column = property.column
    type = property.type
    kind = property.kind
    target = property.target
    joinTable = property.join
    inverseColumn = property.inverse
    isOptional = property.isOptional
    isDeclared = !property.isHidden
    sealing = property.sealing.map { sealing in
      SealingDescription(
        index: sealing.form.index.map {
          IndexDescription(
            column: property.indexColumn ?? "",
            bits: $0.bits,
            normalizer: $0.normalizer,
            isUnique: $0.isUnique
          )
        },
        hidesNil: sealing.form.hidesNil,
        padding: sealing.padding,
        suite: sealing.suite,
        isHooked: sealing.isHooked
      )
    }
  }
}
