import Foundation
import NacreEngine
import NacreStore

/// Goes through a table in the order of objectIDs or rowids, in batches: it reads and converts the rows without the
/// writers' lock, and writes them in one short transaction.
///
/// It writes a row only if the row still holds what was read, and reads it back before the commit.
final class TablePass {
  /// The results of a batch.
  struct Tally {
    var rowCount = 0
    /// How many rows had to be written.
    var changedCount = 0
    /// How many values were replaced in each column, without the rows that somebody else has changed meanwhile.
    var replaced: [Int]
    /// The last row's key, after which the next batch begins; nil at the table's end.
    var cursor: Data?
  }

  private let store: Store
  private let conversion: Resealing
  private let batch: RowBatch
  private let walk: TableWalk
  private let range: String
  private let swap: String

  init(_ store: Store, _ conversion: Resealing, _ dialect: any Dialect) {
    self.store = store
    self.conversion = conversion
    let (table, key) = (conversion.entity.table, conversion.entity.key)
    let columns = conversion.columnNames
    batch = RowBatch(key: key, columnCount: columns.count)
    walk = TableWalk(table: table, key: key, columns: columns, dialect)
    let rows = KeyedRowsSQL(table: table, key: key, columns: columns, dialect)
    range = rows.range
    swap = rows.swap
  }

  /// Converts the next rows.
  ///
  /// - Parameters:
  ///   - cursor: the key after which they begin; nil begins with the first row.
  ///   - limit: how many rows at most.
  ///   - note: writes the journal, in the transaction that writes the rows; not called if no row has to be written.
  /// - Returns: what became of them.
  /// - Throws: `schemaMismatch` if the table is not as the catalog says; `corrupt` if the pass reads back something
  ///   else than it wrote; and what the conversion or `note` throws. In each case, no row of the batch is written.
  func next(
    after cursor: Data?,
    limit: Int,
    note: (Database, Tally) throws -> Void
  ) throws -> Tally {
    while true {
      var tally = try read(after: cursor, limit: limit)
      for row in 0..<batch.rowCount { try conversion.convert(row, of: batch) }
      tally.changedCount = batch.changedCount
      if batch.changedCount == 0 { return tally }
      if let written = try write(tally, note: note) { return written }
    }
  }

  /// Reads and converts the first rows, and writes nothing.
  ///
  /// - Returns: how many rows it read.
  func rehearse(limit: Int) throws -> Int {
    let tally = try read(after: nil, limit: limit)
    for row in 0..<batch.rowCount { try conversion.convert(row, of: batch) }
    return tally.rowCount
  }

  private func read(after cursor: Data?, limit: Int) throws -> Tally {
    // Reads on the connection that will write, so that the pages are in its cache. Its lane is free in between.
    try store.withWriter { database in
      try database.consistently {
        try conversion.prepare(on: database)
        return try conversion.entity.matching {
          var tally = Tally(replaced: Array(repeating: 0, count: conversion.columnNames.count))
          batch.removeAll()
          let position = conversion.entity.key.position(cursor)
          let connection = database.connection
          let next = try walk.next(after: position, limit: limit, on: connection) { row in
            batch.read(row, isWanted: conversion.concerns(row))
          }
          tally.rowCount = batch.readCount
          tally.cursor = next.flatMap(RowKey.cursor)
          return tally
        }
      }
    }
  }

  /// Writes the converted rows; nil if they have to be read and converted again.
  private func write(
    _ tally: Tally,
    note: (Database, Tally) throws -> Void
  ) throws -> Tally? {
    try store.write { database -> Tally? in
      guard try conversion.holds(on: database) else { return nil }
      database.keepsValues = true
      try announce(on: database)
      var tally = tally
      let isWritten = try swapRows(on: database.connection, &tally)
      try readBack(on: database.connection, isWritten)
      try note(database, tally)
      return tally
    }
  }

  /// Lets observers of the objects know that they keep their values.
  private func announce(on database: Database) throws {
    guard conversion.entity.key == .objectID else { return }
    try database.delegate?.transactionWillReseal(conversion.entity.table) {
      (0..<batch.rowCount).filter { batch.isChanged[$0] && batch.identity($0).count == 16 }
        .map { ObjectID(bytes: batch.identity($0)) }
    }
  }

  /// Writes each changed row that still holds what was read; returns which rows it wrote.
  private func swapRows(on connection: any EngineConnection, _ tally: inout Tally) throws -> [Bool]
  {
    let written = WrittenRows(batch.rowCount)
    let columns = tally.replaced.indices
    let statement = try connection.cached(swap)
    // The bound bytes are in the batch, which is reused.
    defer { statement.clearBindings() }
    for row in 0..<batch.rowCount where batch.isChanged[row] {
      try batch.bindIdentity(row, to: statement, at: 1)
      for column in columns {
        let parameter = Int32(column + 2)
        try batch.bind(batch.later(row, column), to: statement, at: parameter)
        let former = batch.former(row, column)
        try batch.bind(former, to: statement, at: parameter + Int32(columns.count))
      }
      try written.run(row, statement)
    }
    try connection.takeAnswers()
    for row in 0..<batch.rowCount where written.isWritten[row] {
      for column in columns where batch.later(row, column).isReplacement {
        tally.replaced[column] += 1
      }
    }
    return written.isWritten
  }

  /// Compares the written rows of the table with what was made.
  ///
  /// - Throws: `corrupt`, with the place.
  private func readBack(on connection: any EngineConnection, _ isWritten: [Bool]) throws {
    guard let first = isWritten.firstIndex(of: true), let last = isWritten.lastIndex(of: true)
    else { return }
    let statement = try connection.cached(range)
    defer {
      statement.reset()
      statement.clearBindings()
    }
    try batch.bindIdentity(first, to: statement, at: 1)
    try batch.bindIdentity(last, to: statement, at: 2)
    for row in first...last where isWritten[row] {
      // Other rows can be in between; the written rows come in the same order.
      repeat {
        guard try statement.step() else { throw lost(row, nil) }
      } while !batch.isIdentity(row, of: statement)
      for column in conversion.columnNames.indices
      where !batch.isSame(batch.later(row, column), as: statement, at: Int32(column + 1)) {
        throw lost(row, column)
      }
    }
  }

  private func lost(_ row: Int, _ column: Int?) -> NacreError {
    let identity = conversion.entity.key.identity(batch.identity(row))
    return NacreError(
      .corrupt,
      entity: conversion.entity.name,
      property: column.map(conversion.property),
      objectID: identity?.uuid,
      detail: (identity?.words.map { $0 + ": " } ?? "")
        + "reading a row back did not give what was written; nothing of the batch was kept"
    )
  }
}

/// The rows of a batch that were written, which a server says only after all were sent.
private final class WrittenRows {
  private(set) var isWritten: [Bool]

  init(_ count: Int) { isWritten = Array(repeating: false, count: count) }

  func run(_ row: Int, _ statement: any PreparedStatement) throws {
    try statement.send(.rows(ended: { self.isWritten[row] = $0 > 0 }))
  }
}

extension RotationJournal {
  /// The journal after a batch.
  func moved(by tally: TablePass.Tally, failures: Int) -> RotationJournal {
    var next = self
    next.cursor = tally.cursor ?? cursor
    next.done += Int64(tally.rowCount)
    next.failed += Int64(failures)
    return next
  }
}
