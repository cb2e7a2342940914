import NacreEngine

/// Reads the rows of a statement one after another, in memory that does not grow with their number.
///
/// It belongs to the `read` or `write` in which it was made, and ends with it.
public final class RowCursor {
  private let database: Database
  private var statement: (any PreparedStatement)?
  private var names: ColumnNames?
  private var isEnded = false

  init(_ database: Database, _ sql: SQLArguments) throws {
    self.database = database
    // Not the cached statement, because somebody may need that again while the cursor is open.
    let statement = try database.guardingSealed(sql.text) {
      try database.connection.prepare(sql.text)
    }
    try statement.bindAll(sql.values)
    statement.readInPortions()
    self.statement = statement
    database.cursors.insert(self)
  }

  deinit { close() }

  /// Returns the next row, or nil after the last.
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

extension PreparedStatement {
  /// The names of the columns; they are correct only after the statement's first step.
  package var columnNames: ColumnNames {
    ColumnNames((0..<columnCount).map { columnName(at: Int32($0)) })
  }

  /// Returns the current row.
  func row(_ names: ColumnNames) -> Row {
    Row(names, names.all.indices.map { value(at: Int32($0)) })
  }
}
