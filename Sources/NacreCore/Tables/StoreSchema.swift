import NacreEngine
import NacreStore

/// A table as it is in the file.
public struct TableDescription: Sendable, Equatable, CustomStringConvertible {
  /// The table's name.
  public let name: String
  /// The table's columns, in order.
  public let columns: [ColumnDescription]
  /// The table's indexes by name, without those of its own primary key.
  public let indexes: [TableIndexDescription]

  /// The table and its columns, one a line.
  public var description: String {
    ([name] + columns.map { "  \($0)" } + indexes.map { "  \($0)" }).joined(separator: "\n")
  }
}

/// A column of a table.
public struct ColumnDescription: Sendable, Equatable, CustomStringConvertible {
  /// The column's name.
  public let name: String
  /// The type in the column's declaration.
  public let type: String
  /// Whether the column refuses NULL.
  public let isNotNull: Bool
  /// The column's DEFAULT expression, or nil if it has none.
  public let defaultValue: String?
  /// The column's place in the primary key, from 1; nil if it is not part of the key.
  public let primaryKeyPosition: Int?

  /// The column as it is declared.
  public var description: String {
    let words: [String?] = [
      name, type.isEmpty ? nil : type, isNotNull ? "NOT NULL" : nil,
      defaultValue.map { "DEFAULT \($0)" }, primaryKeyPosition.map { "PRIMARY KEY (\($0))" },
    ]
    return words.compactMap { $0 }.joined(separator: " ")
  }
}

/// An index of a table.
public struct TableIndexDescription: Sendable, Equatable, CustomStringConvertible {
  /// The index's name.
  public let name: String
  /// The index's columns, in order; nil stands for an expression.
  public let columns: [String?]
  /// Whether no two rows may hold the same values in all of the columns.
  public let isUnique: Bool

  /// The index and its columns.
  public var description: String {
    let columns = columns.map { $0 ?? "an expression" }.joined(separator: ", ")
    return "\(isUnique ? "unique " : "")index \(name) (\(columns))"
  }
}

extension Database {
  /// Describes the tables of the file, by name.
  ///
  /// - Parameter includesOwnTables: Whether to include the tables of the store itself and of
  ///   SQLite.
  /// - Returns: The tables.
  /// - Throws: ``NacreError``.
  public func schema(includesOwnTables: Bool = false) throws -> [TableDescription] {
    try NacreError.wrapping {
      try connection.schema.tables()
        .filter { table in
          table.kind != .view && (includesOwnTables || !SQLText.isReserved(table: table.name))
        }
        .map { try TableDescription($0.name, connection.schema) }
    }
  }
}

extension TableDescription {
  fileprivate init(_ name: String, _ schema: any EngineSchema) throws {
    self.name = name
    columns = try schema.columns(of: name).map { column in
      ColumnDescription(
        name: column.name,
        type: column.type,
        isNotNull: column.isNotNull,
        defaultValue: column.defaultText,
        primaryKeyPosition: column.keyPosition
      )
    }
    indexes = try schema.indexes(of: name).map { index in
      TableIndexDescription(
        name: index.name,
        columns: index.terms.map(\.column),
        isUnique: index.isUnique
      )
    }
  }
}

extension Store {
  /// Describes the tables of the file, by name.
  ///
  /// - Parameter includesOwnTables: Whether to include the tables of the store itself and of
  ///   SQLite.
  /// - Returns: The tables.
  /// - Throws: ``NacreError``.
  public func schema(includesOwnTables: Bool = false) throws -> [TableDescription] {
    try read { try $0.schema(includesOwnTables: includesOwnTables) }
  }

  /// Describes the tables of the file, by name.
  ///
  /// - Parameter includesOwnTables: Whether to include the tables of the store itself and of
  ///   SQLite.
  /// - Returns: The tables.
  /// - Throws: ``NacreError``.
  public func schema(includesOwnTables: Bool = false) async throws -> [TableDescription] {
    try await Self.onThread { try self.schema(includesOwnTables: includesOwnTables) }
  }
}
