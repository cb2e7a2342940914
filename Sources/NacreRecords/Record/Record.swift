public import NacreCore

/// A struct or final class of the application whose values a ``Table`` stores, each as one row.
///
/// The application or the database gives a record its key. A record has no children and no links,
/// and does not know whether it is stored; use an ``Entity`` if you need these.
/// ```swift
/// struct Student: Record {
///   var id: Int64?
///   var name = ""
///   var age: Int?
///   var note: String?
///   init() {}
///
///   static let columns: [RecordColumn<Student>] = [
///     .key(\.id, "ID"), .column(\.name, unique: true), .column(\.age, default: 18),
///     .column(\.note, sealed: SealedOptions()),
///   ]
/// }
/// ```
public protocol Record: SendableMetatype {
  /// Makes a record with the initial values of its properties.
  ///
  /// A property keeps its initial value if a query has no column for it, or if it can't be nil and
  /// its column is NULL.
  init()

  /// The table's name, unless a ``Table`` is made with another one; by default the type's name.
  static var tableName: String { get }

  /// The stored properties with their columns, which Nacre reads once and keeps.
  static var columns: [RecordColumn<Self>] { get }

  /// The indexes over more than one column; by default none.
  static var indexes: [RecordIndex<Self>] { get }

  /// The version of the record's columns; 1 by default.
  ///
  /// A ``Table`` refuses a record type whose version is lower than the version of the stored table.
  static var recordVersion: Int { get }

  /// Returns the statements to run when a table of such records gets another version; none by
  /// default.
  ///
  /// Nacre calls the method after it has made the table, with 0 as the former version. It also
  /// calls the method after it has raised the version and added the columns of new properties.
  /// Either happens in one transaction with the statements, which run in order. The method can't
  /// use records or entities.
  ///
  /// - Parameters:
  ///   - table: the table's name, since a record type can have several tables.
  ///   - old: the version of the stored table; 0 if the table was just made.
  ///   - new: the record's version.
  /// - Returns: the statements to run.
  /// - Throws: any error, to keep the version from being raised; the transaction is then rolled
  ///   back.
  static func migrate(_ table: String, from old: Int, to new: Int) throws -> [SQLStatement]

  /// Throws if the record must not be stored; by default it accepts every record.
  ///
  /// - Parameter change: the change that is about to be made with the record.
  /// - Throws: the application's own error, which becomes the cause of a ``NacreError`` with the
  ///   code `invalidRecord`.
  func validate(for change: RecordChange) throws
}

extension Record {
  /// The type's name.
  public static var tableName: String { "\(Self.self)" }

  /// No indexes.
  public static var indexes: [RecordIndex<Self>] { [] }

  /// Version 1.
  public static var recordVersion: Int { 1 }

  /// No statements.
  public static func migrate(
    _ table: String,
    from old: Int,
    to new: Int
  ) throws -> [SQLStatement] { [] }

  /// Accepts every record.
  public func validate(for change: RecordChange) throws {}
}

/// The change that is about to be made with a record.
public enum RecordChange: Sendable {
  /// The record becomes a new row.
  case insert
  /// The record is written over the row that has its key.
  case update
}

/// An index over one or more columns of a record's table.
public struct RecordIndex<R: Record>: @unchecked Sendable {
  // Sendable holds: key paths of stored properties capture nothing, and all properties are
  // constants.

  let name: String
  let paths: [PartialKeyPath<R>]
  let isUnique: Bool

  /// Declares an index.
  ///
  /// - Parameters:
  ///   - name: the index's name, which no other index of the store has.
  ///   - paths: the properties, in order; none of them sealed.
  ///   - unique: whether no two records may have the same values in all of them.
  public init(_ name: String, on paths: PartialKeyPath<R>..., unique: Bool = false) {
    self.name = name
    self.paths = paths
    isUnique = unique
  }
}
