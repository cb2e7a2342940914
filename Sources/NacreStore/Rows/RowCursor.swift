import NacreSQLite

/// Reads the rows of a statement one after another, in memory that does not grow with their number.
///
/// It belongs to the `read` or `write` in which it was made, and ends with it.
public final class RowCursor {
  private let database: Database
  private var statement: Statement?
  private var names: ColumnNames?
  private var isEnded = false

  init(_ database: Database, _ sql: SQLArguments) throws {
    self.database = database
    // Not the cached statement, because somebody may need that again while the cursor is open.
    let statement = try database.guardingSealed(sql.text) {
      try database.connection.prepare(sql.text)
    }
    try statement.bindAll(sql.values)
    self.statement = statement
    database.enter(self)
  }

  deinit { close() }

  /// The next row, or nil after the last.
  ///
  /// - Throws: ``NacreError``; the cursor is closed then.
  public func next() throws -> Row? {
    if isEnded {
      throw NacreError(.transactionState, detail: "the cursor's read or write has ended")
    }
    guard let statement else { return nil }
    do {
      guard try database.guardingSealed(statement.sql, { try statement.step() }) else {
        close()
        return nil
      }
    } catch {
      close()
      throw NacreError.wrap(error)
    }
    let names = names ?? statement.columnNames
    self.names = names
    return statement.row(names)
  }

  /// Ends the statement.
  ///
  /// Closing twice does nothing.
  public func close() {
    statement?.reset()
    statement = nil
  }
}

extension RowCursor: BoundCursor {
  func endWithConnection() {
    isEnded = statement != nil
    close()
  }
}

/// A cursor on a connection that a closure borrows and gives back at its end.
protocol BoundCursor: AnyObject {
  /// Ends the statement, because an open one would hold the connection in the state of the store that it reads.
  func endWithConnection()
}

/// Weak references to the cursors on a connection.
struct BoundCursors {
  private struct Entry { weak var cursor: (any BoundCursor)? }
  private var entries: [Entry] = []
  private var limit = 16

  mutating func insert(_ cursor: any BoundCursor) {
    if entries.count >= limit {
      entries.removeAll { $0.cursor == nil }
      limit = max(16, entries.count * 2)
    }
    entries.append(Entry(cursor: cursor))
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Ends all cursors.
  mutating func end() {
    let ended = entries
    entries = []
    for entry in ended { entry.cursor?.endWithConnection() }
  }
}

extension Database {
  /// Registers a cursor, which ends when the connection is given back.
  func enter(_ cursor: any BoundCursor) { cursors.insert(cursor) }
}

extension Statement {
  /// The names of the columns; they are correct only after the statement's first step.
  package var columnNames: ColumnNames {
    ColumnNames((0..<columnCount).map { columnName(at: Int32($0)) })
  }

  /// The current row.
  func row(_ names: ColumnNames) -> Row {
    Row(names, names.all.indices.map { value(at: Int32($0)) })
  }
}
