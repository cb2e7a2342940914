/// A struct or final class of the application's own that a ``Table`` keeps, a row each.
///
/// A record has the key that the application, or the database, gives it; it has no children and no links, and does not
/// remember whether it is stored. What has those is an ``Entity``.
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
  /// Makes a record whose properties have the values that rows without them leave as they are.
  init()

  /// The table's name, where a ``Table`` is not told another; the type's name if nothing else is said.
  static var tableName: String { get }

  /// The properties that are stored, with their columns; asked for once.
  static var columns: [RecordColumn<Self>] { get }

  /// The indexes over more than one column; none if nothing else is said.
  static var indexes: [RecordIndex<Self>] { get }

  /// Refuses, by throwing, a record that must not be stored; takes any if nothing else is said.
  ///
  /// - Parameter change: what is about to be done with it.
  /// - Throws: what becomes the cause of a ``NacreError`` with the code `invalidRecord`.
  func validate(for change: RecordChange) throws
}

extension Record {
  /// The type's name.
  public static var tableName: String { "\(Self.self)" }

  /// No indexes.
  public static var indexes: [RecordIndex<Self>] { [] }

  /// Takes any record.
  public func validate(for change: RecordChange) throws {}
}

/// The change that is about to be made with a record.
public enum RecordChange: Sendable {
  /// It becomes a new row.
  case insert
  /// It is written over the row that has its key.
  case update
}

/// An index over one or more columns of a record's table.
public struct RecordIndex<R: Record>: @unchecked Sendable {
  // Sendable holds: key paths of stored properties capture nothing, and nothing changes.

  let name: String
  let paths: [PartialKeyPath<R>]
  let isUnique: Bool

  /// Declares an index.
  ///
  /// - Parameters:
  ///   - name: its name, which no other index of the store has.
  ///   - paths: the properties, in order; none of them sealed.
  ///   - unique: whether no two records may have the same values in all of them.
  public init(_ name: String, on paths: PartialKeyPath<R>..., unique: Bool = false) {
    self.name = name
    self.paths = paths
    isUnique = unique
  }
}
