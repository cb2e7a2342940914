public import Foundation
public import NacreEngine

/// Says which tables of a foreign SQLite file become which entities and records.
/// ```swift
/// let mapping = AdoptionMapping(tables: [
///   AdoptedTable(
///     "SQPCar",
///     entity: "Car",
///     key: .uuid("objectID"),
///     properties: ["name": "name", "built": .column("built", as: .secondsSince1970)]
///   )
/// ])
/// ```
public struct AdoptionMapping: Sendable, Equatable {
  /// The tables whose rows become objects or records, in the order in which they are read.
  public var tables: [AdoptedTable]
  /// The tables whose rows become elements of to-many relationships; they are read after the others.
  public var lists: [AdoptedList]
  /// Tells apart files whose tables and keys are alike; objectIDs derived in different spaces differ.
  public var namespace: UUID?

  /// Creates a mapping.
  public init(tables: [AdoptedTable], lists: [AdoptedList] = [], namespace: UUID? = nil) {
    self.tables = tables
    self.lists = lists
    self.namespace = namespace
  }
}

/// A table of a foreign file whose rows become objects of an entity, or records.
public struct AdoptedTable: Sendable, Equatable {
  /// The table in the foreign file.
  public var name: String
  /// Where the rows go.
  public var target: Target
  /// The key of which objectIDs are made; nil for the number that the engine gives each row.
  ///
  /// Records need none.
  public var key: AdoptedKey?
  /// The value of each property by its name, or of each column of a record's table.
  public var properties: [String: AdoptedValue]
  /// Values that a row's columns must hold; other rows are passed over.
  public var only: [String: Value]

  /// The entity or record that a table's rows become.
  public enum Target: Sendable, Equatable {
    /// Objects of this entity.
    case entity(String)
    /// Rows of this table of the store, which is that of a record, or a DAO's without sealed columns.
    case record(String)
  }

  /// Creates the mapping of a table to an entity.
  public init(
    _ name: String,
    entity: String,
    key: AdoptedKey? = nil,
    properties: [String: AdoptedValue],
    only: [String: Value] = [:]
  ) {
    self.name = name
    target = .entity(entity)
    self.key = key
    self.properties = properties
    self.only = only
  }

  /// Creates the mapping of a table to a record's table.
  public init(
    _ name: String,
    record: String,
    properties: [String: AdoptedValue],
    only: [String: Value] = [:]
  ) {
    self.name = name
    target = .record(record)
    key = nil
    self.properties = properties
    self.only = only
  }
}

/// The columns that identify a row of a foreign table, and how its objectID is made of them.
public struct AdoptedKey: Sendable, Equatable {
  /// How an objectID is made of a key.
  public enum Form: String, Sendable, CaseIterable {
    /// The key is a UUID, as a text or as 16 bytes, and is taken as it is.
    case uuid
    /// The objectID is computed from the table's name and the key: always the same for the same key.
    case derived
  }

  /// The columns, in order.
  public var columns: [String]
  /// How the objectID is made.
  public var form: Form

  /// Creates a key.
  public init(_ columns: [String], form: Form) {
    self.columns = columns
    self.form = form
  }

  /// A column that holds UUIDs.
  public static func uuid(_ column: String) -> AdoptedKey { AdoptedKey([column], form: .uuid) }

  /// Columns of any kind, such as an integer that counts up.
  public static func derived(_ columns: String...) -> AdoptedKey {
    AdoptedKey(columns, form: .derived)
  }
}

/// Where the value of one property comes from.
///
/// A text stands for a column whose values are stored as they are.
public struct AdoptedValue: Sendable, Equatable, ExpressibleByStringLiteral {
  /// The columns: one for a value, those of the other table's key for a reference, none for a constant.
  public var columns: [String]
  /// How the column writes the value; nil if it holds what the property stores.
  public var form: AdoptedForm?
  /// The value that stands for NULL, as the column would hold it; nil leaves NULL.
  public var preset: Value?
  /// The foreign table to which a reference leads; nil for the only one that becomes the property's entity.
  public var table: String?
  /// How that table's keys become objectIDs, if the mapping does not have the table.
  public var keys: AdoptedKey.Form?
  /// For a reference, the column with the row's position among the children of the object to which it leads.
  public var position: String?

  /// Creates a value.
  public init(
    columns: [String],
    form: AdoptedForm? = nil,
    preset: Value? = nil,
    table: String? = nil,
    keys: AdoptedKey.Form? = nil,
    position: String? = nil
  ) {
    self.columns = columns
    self.form = form
    self.preset = preset
    self.table = table
    self.keys = keys
    self.position = position
  }

  /// Takes the name of a column.
  public init(stringLiteral column: String) { self.init(columns: [column]) }

  /// A column, the form of its values, and what stands for NULL in it.
  public static func column(
    _ name: String,
    as form: AdoptedForm? = nil,
    default preset: Value? = nil
  ) -> AdoptedValue {
    AdoptedValue(columns: [name], form: form, preset: preset)
  }

  /// The same value for each row, in the form that a column would hold.
  public static func constant(_ value: Value, as form: AdoptedForm? = nil) -> AdoptedValue {
    AdoptedValue(columns: [], form: form, preset: value)
  }

  /// A reference by the key of another row.
  public static func reference(
    _ columns: String...,
    to table: String? = nil,
    keys: AdoptedKey.Form? = nil,
    position: String? = nil
  ) -> AdoptedValue {
    AdoptedValue(columns: columns, table: table, keys: keys, position: position)
  }
}

/// A table of a foreign file whose rows become elements of a to-many relationship.
///
/// It can be a table of pairs, or the table of the children themselves, with a column that names the owner.
public struct AdoptedList: Sendable, Equatable {
  /// The table in the foreign file.
  public var name: String
  /// The entity that has the relationship.
  public var entity: String
  /// The relationship.
  public var property: String
  /// The key of the owner; rows in which it is NULL are passed over.
  public var owner: End
  /// The key of the child.
  public var child: End
  /// The column with the child's position; nil keeps the order of the rows.
  public var position: String?

  /// One end of the relationship.
  public struct End: Sendable, Equatable {
    /// The columns with the key.
    public var columns: [String]
    /// The table whose key it is; nil for the only one that becomes the entity.
    public var table: String?
    /// How that table's keys become objectIDs, if the mapping does not have the table.
    public var keys: AdoptedKey.Form?

    /// Creates an end.
    public init(_ columns: String..., table: String? = nil, keys: AdoptedKey.Form? = nil) {
      self.init(columns: columns, table: table, keys: keys)
    }

    /// Creates an end.
    public init(columns: [String], table: String? = nil, keys: AdoptedKey.Form? = nil) {
      self.columns = columns
      self.table = table
      self.keys = keys
    }
  }

  /// Creates the mapping of a table to a relationship.
  public init(
    _ name: String,
    entity: String,
    property: String,
    owner: End,
    child: End,
    position: String? = nil
  ) {
    self.name = name
    self.entity = entity
    self.property = property
    self.owner = owner
    self.child = child
    self.position = position
  }
}
