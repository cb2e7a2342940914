import NacreSQLite
import NacreStore

/// A table as the file has it.
public struct TableDescription: Sendable, Equatable, CustomStringConvertible {
  /// The table's name.
  public let name: String
  /// Its columns, in order.
  public let columns: [ColumnDescription]
  /// Its indexes by name, those of its own primary key left out.
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
  /// The type that it is declared with.
  public let type: String
  /// Whether it refuses NULL.
  public let isNotNull: Bool
  /// The column's DEFAULT expression, or nil if it has none.
  public let defaultValue: String?
  /// Its place in the primary key, from 1; nil where it is not part of it.
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
  /// Its columns, in order; nil stands for an expression.
  public let columns: [String?]
  /// Whether no two rows may hold the same in all of them.
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
  /// - Parameter includesOwnTables: whether those of the store itself, and of SQLite, are described, too.
  /// - Returns: the tables.
  /// - Throws: ``NacreError``.
  public func schema(includesOwnTables: Bool = false) throws -> [TableDescription] {
    try NacreError.wrapping {
      try connection.texts(MigrationSQL.tables)
        .filter { includesOwnTables || !SQLText.isReserved(table: $0) }
        .map {
          TableDescription(name: $0, columns: try columns(of: $0), indexes: try indexes(of: $0))
        }
    }
  }

  private func columns(of table: String) throws -> [ColumnDescription] {
    var columns: [ColumnDescription] = []
    try each(VerifySQL.columns, [.text(table)]) { row in
      let position = Int(clamping: row.int64(at: 3))
      columns.append(
        ColumnDescription(
          name: row.text(at: 0),
          type: row.text(at: 1),
          isNotNull: row.int64(at: 2) != 0,
          defaultValue: row.storageClass(at: 4) == .null ? nil : row.text(at: 4),
          primaryKeyPosition: position == 0 ? nil : position
        )
      )
    }
    return columns
  }

  private func indexes(of table: String) throws -> [TableIndexDescription] {
    var indexes: [TableIndexDescription] = []
    try each(MigrationSQL.indexes, [.text(table)]) { row in
      var columns: [String?] = []
      try each(MigrationSQL.indexColumns, [.text(row.text(at: 0))]) { column in
        columns.append(column.storageClass(at: 0) == .null ? nil : column.text(at: 0))
      }
      indexes.append(
        TableIndexDescription(
          name: row.text(at: 0),
          columns: columns,
          isUnique: row.int64(at: 1) != 0
        )
      )
    }
    return indexes
  }
}

extension Store {
  /// Describes the tables of the file, by name.
  ///
  /// - Parameter includesOwnTables: whether those of the store itself, and of SQLite, are described, too.
  /// - Returns: the tables.
  /// - Throws: ``NacreError``.
  public func schema(includesOwnTables: Bool = false) throws -> [TableDescription] {
    try read { try $0.schema(includesOwnTables: includesOwnTables) }
  }

  /// Describes the tables of the file, by name.
  ///
  /// - Parameter includesOwnTables: whether those of the store itself, and of SQLite, are described, too.
  /// - Returns: the tables.
  /// - Throws: ``NacreError``.
  public func schema(includesOwnTables: Bool = false) async throws -> [TableDescription] {
    try await Self.onThread { try self.schema(includesOwnTables: includesOwnTables) }
  }
}
