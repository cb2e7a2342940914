import Foundation
import NacreSQLite

/// What a pass does to the rows of one table.
protocol TableConversion: AnyObject {
  var table: ConvertedTable { get }

  /// Gets ready for the next batch, in the read transaction that reads it.
  func prepare(on reader: Database) throws

  /// Says what a row shall hold, outside of every transaction; a row that stays as it is is not written.
  func convert(_ row: Int, of batch: RowBatch) throws

  /// Whether what was made since `prepare` may be written, in the write transaction that would: otherwise the batch is
  /// read and made anew.
  func holds(on writer: Database) throws -> Bool
}

/// Goes over a table in the order of objectIDs, in batches whose rows are read and made without the writers' lock and
/// written in one short transaction.
///
/// A row is written only if it still holds what was read of it, and is read back before the commit.
final class TablePass {
  /// What became of a batch.
  struct Tally {
    var rowCount = 0
    /// How many rows had to be written.
    var changedCount = 0
    /// How many were: the others had been changed by somebody else meanwhile.
    var writtenCount = 0
    /// How many values were replaced in each of the columns that are written.
    var replaced: [Int]
    /// The last row's objectID, behind which the next batch begins; nil where there was no row.
    var cursor: Data?
    /// Whether the table ends here.
    var isLast = false
  }

  private let store: Store
  private let conversion: any TableConversion
  private let table: ConvertedTable
  private let batch: RowBatch
  private let select: String
  private let range: String
  private let swap: String

  init(_ store: Store, _ conversion: any TableConversion) {
    self.store = store
    self.conversion = conversion
    table = conversion.table
    batch = RowBatch(table)
    let written = table.written.map(\.column)
    select = RotationSQL.batch(table: table.table, columns: table.read)
    range = RotationSQL.range(table: table.table, columns: written)
    swap = RotationSQL.swap(table: table.table, written: written, read: table.read)
  }

  /// Converts the next rows.
  ///
  /// - Parameters:
  ///   - cursor: the objectID behind which they begin; nil begins with the first.
  ///   - limit: how many rows at most.
  ///   - note: writes the journal, in the transaction that writes the rows; not called where no row is written.
  /// - Returns: what became of them.
  /// - Throws: `schemaMismatch` when the table is not as the catalog says, `corrupt` when what is read back is not
  ///   what was written, and what the conversion or `note` throws: then no row of the batch is written.
  func next(
    after cursor: Data?,
    limit: Int,
    note: (Database, Tally) throws -> Void
  ) throws -> Tally {
    while true {
      let hasMore = try read(after: cursor, limit: limit)
      for row in 0..<batch.rowCount { try conversion.convert(row, of: batch) }
      var tally = Tally(replaced: Array(repeating: 0, count: table.written.count))
      tally.rowCount = batch.rowCount
      tally.changedCount = batch.changedCount
      if batch.rowCount > 0 { tally.cursor = Data(batch.identity(batch.rowCount - 1)) }
      tally.isLast = !hasMore
      if batch.changedCount == 0 { return tally }
      if let written = try write(tally, note: note) { return written }
    }
  }

  /// Reads and makes the first rows, and writes nothing.
  ///
  /// - Returns: how many rows they were.
  func rehearse(limit: Int) throws -> Int {
    _ = try read(after: nil, limit: limit)
    for row in 0..<batch.rowCount { try conversion.convert(row, of: batch) }
    return batch.rowCount
  }

  private func read(after cursor: Data?, limit: Int) throws -> Bool {
    try store.withReader { reader in
      try reader.consistently {
        try conversion.prepare(on: reader)
        return try matching {
          let statement = try reader.connection.bound(
            select,
            [.blob(cursor ?? Data()), .integer(Int64(limit))]
          )
          defer { statement.reset() }
          return try batch.read(statement, limit: limit)
        }
      }
    }
  }

  /// Writes the rows that were made; nil when they have to be made anew.
  private func write(
    _ tally: Tally,
    note: (Database, Tally) throws -> Void
  ) throws -> Tally? {
    try store.withWriter { writer in
      try writer.transaction(.immediate) { writer in
        guard try conversion.holds(on: writer) else { return nil }
        var tally = tally
        let isWritten = try swapRows(on: writer.connection, &tally)
        try readBack(on: writer.connection, isWritten)
        try note(writer, tally)
        return tally
      }
    }
  }

  /// Writes each changed row that still holds what was read of it; says which.
  private func swapRows(on connection: Connection, _ tally: inout Tally) throws -> [Bool] {
    var isWritten = Array(repeating: false, count: batch.rowCount)
    try matching {
      let statement = try connection.cached(swap)
      // What is bound lies in the batch, which is used again.
      defer { statement.clearBindings() }
      for row in 0..<batch.rowCount where batch.isChanged[row] {
        try statement.bind(unownedBlob: batch.identity(row), at: 1)
        for column in table.written.indices {
          try batch.bind(batch.later(row, column), to: statement, at: Int32(column + 2))
        }
        for column in table.read.indices {
          let parameter = Int32(column + table.written.count + 2)
          try batch.bind(batch.former(row, column), to: statement, at: parameter)
        }
        try statement.run()
        guard connection.changes > 0 else { continue }
        isWritten[row] = true
        tally.writtenCount += 1
        for column in table.written.indices where batch.later(row, column).isReplacement {
          tally.replaced[column] += 1
        }
      }
    }
    return isWritten
  }

  /// Compares what the table now holds with what was made.
  ///
  /// - Throws: `corrupt`, with the place.
  private func readBack(on connection: Connection, _ isWritten: [Bool]) throws {
    guard let first = isWritten.firstIndex(of: true), let last = isWritten.lastIndex(of: true)
    else { return }
    let statement = try connection.cached(range)
    defer {
      statement.reset()
      statement.clearBindings()
    }
    try statement.bind(unownedBlob: batch.identity(first), at: 1)
    try statement.bind(unownedBlob: batch.identity(last), at: 2)
    for row in first...last where isWritten[row] {
      // Rows of others can lie in between; ours lie there in the same order.
      repeat {
        guard try statement.step() else { throw lost(row, nil) }
      } while statement.bytes(at: 0)?.isSame(as: batch.identity(row)) != true
      for column in table.written.indices
      where !batch.isSame(batch.later(row, column), as: statement, at: Int32(column + 1)) {
        throw lost(row, table.written[column].property)
      }
    }
  }

  private func lost(_ row: Int, _ property: String?) -> NacreError {
    let identity = batch.identity(row)
    return NacreError(
      .corrupt,
      entity: table.entity,
      property: property,
      objectID: identity.count == 16 ? ObjectID(bytes: identity).uuid : nil,
      detail: "what was read back is not what was written; nothing of the batch was kept"
    )
  }

  /// A statement that can't be prepared means that the catalog names what is not in the file.
  private func matching<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SQLiteError where error.code == 1 {
      throw NacreError(
        .schemaMismatch,
        entity: table.entity,
        detail: "the catalog names what is not in the file",
        cause: error
      )
    }
  }
}
