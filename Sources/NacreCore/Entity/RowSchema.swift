import NacreEngine
import NacreStore
import Synchronization

private let schemaCount = Atomic<Int>(0)

/// The table of an entity's objects or of records: its name, its columns and its primary key.
///
/// Everything that reads and writes rows without making objects or records of them stands on it:
/// the statements, queries, sealing, and the tables themselves.
public class RowSchema: @unchecked Sendable {
  // Sendable holds: all properties are constants, and a subclass's are, too, or have a lock.

  /// The class's name or the record's table, which is also the entity's name in the catalog and in
  /// sealed values' contexts.
  public final let name: String
  /// The table's name.
  public final let table: String
  /// The stored properties, in the order of their declaration.
  public final let properties: [Property]
  /// The indices of the properties that form the primary key; empty if the objectID is the key.
  package final let keys: [Int]
  /// Whether the rows have an objectID, to which sealed values are bound.
  package final let hasObjectID: Bool
  /// The schema's number in this process, by which connections keep their prepared statements.
  package final let number: Int
  /// Whether a save or delete fails if the row was changed since the object was loaded.
  final let detectsConflicts: Bool
  /// How the full-text index tells the words of texts apart.
  final let tokenizer: Tokenizer
  /// The full-text index of the table; nil if no property is in one.
  final let fullText: FullTextIndex?
  /// How a condition on the rows binds a Date argument; nil for the default form.
  final let dateArguments: DateArguments?
  private let indexOfKeyPath: [AnyKeyPath: Int]
  private let indexOfName: [String: Int]
  /// Returns the stored form of a column's default; NULL if it has none.
  private let presets: @Sendable (Property) throws -> Value

  /// Makes the schema of a table; without the arguments that have defaults, of a record's.
  ///
  /// - Parameters:
  ///   - name: The entity's name; nil for the table's.
  ///   - table: The table's name.
  ///   - properties: The stored properties.
  ///   - keys: The indices of those that form the primary key.
  ///   - hasObjectID: Whether the rows have an objectID; nil if only sealed values need one.
  ///   - detectsConflicts: Whether the rows have versions.
  ///   - tokenizer: How a full-text index tells words apart.
  ///   - presets: Returns the stored form of a column's default; NULL if it has none.
  package init(
    name: String? = nil,
    table: String,
    properties: [Property],
    keys: [Int],
    hasObjectID: Bool? = nil,
    detectsConflicts: Bool = false,
    tokenizer: Tokenizer = .unicode61,
    presets: @escaping @Sendable (Property) throws -> Value
  ) {
    self.name = name ?? table
    self.table = table
    self.properties = properties
    self.keys = keys
    self.hasObjectID = hasObjectID ?? properties.contains(where: \.isSealed)
    self.detectsConflicts = detectsConflicts
    self.tokenizer = tokenizer
    fullText = FullTextIndex(
      table: table,
      columns: properties.filter(\.isFullText).map(\.column),
      tokenizer: tokenizer
    )
    self.presets = presets
    number = schemaCount.add(1, ordering: .relaxed).oldValue
    dateArguments = DateArguments(Set(properties.compactMap(\.dateForm)), of: self.name)
    indexOfKeyPath = Dictionary(properties.map { ($0.keyPath, $0.index) }) { first, _ in first }
    indexOfName = Dictionary(properties.map { ($0.name, $0.index) }) { first, _ in first }
  }

  /// The version of the properties' declaration.
  var version: Int { 1 }

  /// The columns with the rows' places in lists that other rows own.
  var positionColumns: [String] { [] }

  /// Returns whether a key path is that of `objectID`.
  func isObjectID(_ path: AnyKeyPath) -> Bool { false }

  /// Returns the stored form that replaces nil in an update of many rows; NULL if nil stays nil.
  final func preset(_ property: Property) throws -> Value { try presets(property) }

  /// Returns the property behind a key path, or nil if the rows do not store it.
  package final func property(_ keyPath: AnyKeyPath) -> Property? {
    indexOfKeyPath[keyPath].map { properties[$0] }
  }

  /// Returns the property of that name, or nil if there is none.
  public final func property(named name: String) -> Property? {
    indexOfName[name].map { properties[$0] }
  }

  /// Returns the parameter of a property's blind index in the table's statements.
  final func indexParameter(_ property: Int) -> Int32 {
    Int32(truncatingIfNeeded: properties.count + 2 + property)
  }

  /// The parameter of the version that a row gets; the next parameter is the version that the row
  /// must have.
  final var versionParameter: Int32 { indexParameter(properties.count) }

  /// Returns the parameter of a part of the key of the row that a statement concerns, if the key is
  /// not the objectID.
  package final func keyParameter(_ place: Int) -> Int32 {
    indexParameter(properties.count) &+ Int32(truncatingIfNeeded: place)
  }
}
