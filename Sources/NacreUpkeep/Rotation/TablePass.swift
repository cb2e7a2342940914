import Foundation
import NacreEngine
import NacreStore

/// Goes through a table in the order of objectIDs or rowids, in batches: it reads and converts the rows without the
/// writers' lock, and writes them in one short transaction.
///
/// It writes a row only if the row still holds what was read, and reads it back before the commit. While it writes a
/// batch, another thread converts the next one; from a server it also reads it.
final class TablePass {
  /// The results of a batch.
  struct Tally {
    var rowCount = 0
    /// How many rows had to be written.
    var changedCount = 0
    /// How many values were replaced in each column, without the rows that somebody else has changed meanwhile.
    var replaced: [Int]
    /// The values that did not open.
    var failures: [UnopenedCell] = []
    /// The last row's key, after which the next batch begins; nil at the table's end.
    var cursor: Data?
  }

  /// Rows on their way through the pass.
  private final class Batch: @unchecked Sendable {
    // Sendable holds: the thread that converts the rows is done before another one uses them.
    let rows: RowBatch
    var tally = Tally(replaced: [])
    /// The key after which the rows begin.
    var start: Data?
    /// The marks of up-to-date cells when the rows were read.
    var marks = Resealing.Marks()
    /// What their conversion threw; nil if it threw nothing.
    var failure: (any Error)?

    init(key: RowKey, columnCount: Int) { rows = RowBatch(key: key, columnCount: columnCount) }
  }

  private let store: Store
  private let isOnServer: Bool
  private let conversion: Resealing
  /// The batch that is written next.
  private var batch: Batch
  /// The batch after it.
  private var following: Batch
  /// Whether the batch that is written next was converted already.
  private var isReady = false
  private let walk: TableWalk
  private var rowLimit: RowLimit
  private let rangeSQL: String
  private let swapSQL: String

  init(_ store: Store, _ conversion: Resealing, _ dialect: any Dialect) {
    self.store = store
    self.conversion = conversion
    isOnServer = store.engine.capabilities.contains(.onServer)
    rowLimit = RowLimit(isOnServer: isOnServer)
    let (table, key) = (conversion.entity.table, conversion.entity.key)
    let columns = conversion.columnNames
    batch = Batch(key: key, columnCount: columns.count)
    following = Batch(key: key, columnCount: columns.count)
    walk = TableWalk(table: table, key: key, columns: columns, dialect)
    let rows = KeyedRowsSQL(table: table, key: key, columns: columns, dialect)
    rangeSQL = rows.range
    swapSQL = rows.swap
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
    if !isReady || batch.start != cursor { try make(batch, after: cursor, limit: limit) }
    isReady = false
    while true {
      if let failure = batch.failure { throw failure }
      if batch.tally.changedCount == 0 { return batch.tally }
      let written = try whileFollowingIsMade(limit: limit) { try write(batch, note: note) }
      if let written {
        Swift.swap(&batch, &following)
        isReady = written.cursor != nil
        return written
      }
      try make(batch, after: cursor, limit: limit)
    }
  }

  /// Reads and converts the first rows, and writes nothing.
  ///
  /// - Returns: how many rows it read.
  func rehearse(limit: Int) throws -> Int {
    try make(batch, after: nil, limit: limit)
    if let failure = batch.failure { throw failure }
    return batch.tally.rowCount
  }

  private func make(_ batch: Batch, after cursor: Data?, limit: Int) throws {
    try read(into: batch, after: cursor, limit: limit)
    Self.convert(batch, by: conversion)
  }

  private func read(into batch: Batch, after cursor: Data?, limit: Int) throws {
    if isOnServer {
      // The connection that writes would wait for its turn, and its commit for the disk.
      return try store.read { try read(into: batch, after: cursor, limit: limit, on: $0) }
    }
    // Reads on the connection that will write, so that the pages are in its cache. Its lane is free in between.
    try store.withWriter { database in
      try database.consistently {
        try read(into: batch, after: cursor, limit: limit, on: database)
      }
    }
  }

  private func read(
    into batch: Batch,
    after cursor: Data?,
    limit: Int,
    on database: Database
  ) throws {
    batch.marks = try conversion.prepare(on: database)
    try conversion.entity.matching {
      var tally = Tally(replaced: Array(repeating: 0, count: conversion.columnNames.count))
      batch.rows.removeAll()
      let position = conversion.entity.key.position(cursor)
      let limit = rowLimit.rows(atMost: limit)
      var hasRoom = true
      let next = try walk.next(after: position, limit: limit, on: database.connection) { row in
        hasRoom = batch.rows.read(row, isWanted: conversion.concerns(row))
        return hasRoom
      }
      rowLimit.note(rowCount: batch.rows.readCount, isFull: !hasRoom)
      tally.rowCount = batch.rows.readCount
      tally.cursor = next.flatMap(RowKey.cursor)
      (batch.tally, batch.start) = (tally, cursor)
    }
  }

  private static func convert(_ batch: Batch, by conversion: Resealing) {
    do {
      batch.failure = nil
      for row in 0..<batch.rows.rowCount { try conversion.convert(row, of: batch.rows) }
    } catch {
      batch.failure = error
    }
    batch.tally.changedCount = batch.rows.changedCount
    batch.tally.failures = batch.rows.failures
  }

  /// Makes the batch after the present one while `body` runs.
  private func whileFollowingIsMade<T>(limit: Int, _ body: () throws -> T) throws -> T {
    guard let cursor = batch.tally.cursor else { return try body() }
    if !isOnServer { try read(into: following, after: cursor, limit: limit) }
    // The other thread need not wait for the writer, which this one has.
    try conversion.reserve()
    nonisolated(unsafe) let pass = self
    let work = AheadWork { [following, isOnServer] in
      if isOnServer {
        pass.tryToMake(following, after: cursor, limit: limit)
      } else {
        Self.convert(following, by: pass.conversion)
      }
    }
    // Nobody may use the conversion or the following batch on two threads at once.
    defer { work.finish() }
    return try body()
  }

  /// Makes a batch, or leaves it as one that is still to be made: then `next` makes it, and throws what prevents that.
  private func tryToMake(_ batch: Batch, after cursor: Data, limit: Int) {
    do {
      try make(batch, after: cursor, limit: limit)
    } catch {
      batch.start = nil
    }
  }

  /// Writes the converted rows; nil if they have to be read and converted again.
  private func write(
    _ batch: Batch,
    note: (Database, Tally) throws -> Void
  ) throws -> Tally? {
    try store.write { database -> Tally? in
      guard try conversion.holds(batch.marks, on: database) else { return nil }
      database.keepsValues = true
      try announce(batch.rows, on: database)
      var tally = batch.tally
      let isWritten = try swapRows(batch.rows, on: database.connection, &tally)
      try readBack(batch.rows, on: database.connection, isWritten)
      try note(database, tally)
      return tally
    }
  }

  /// Lets observers of the objects know that they keep their values.
  private func announce(_ batch: RowBatch, on database: Database) throws {
    guard conversion.entity.key == .objectID else { return }
    try database.delegate?.transactionWillReseal(conversion.entity.table) {
      (0..<batch.rowCount).filter { batch.isChanged[$0] && batch.identity($0).count == 16 }
        .map { ObjectID(bytes: batch.identity($0)) }
    }
  }

  /// Writes each changed row that still holds what was read; returns which rows it wrote.
  private func swapRows(
    _ batch: RowBatch,
    on connection: any EngineConnection,
    _ tally: inout Tally
  ) throws -> [Bool] {
    let written = WrittenRows(batch.rowCount)
    let columns = tally.replaced.indices
    let statement = try connection.cached(swapSQL)
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
  private func readBack(
    _ batch: RowBatch,
    on connection: any EngineConnection,
    _ isWritten: [Bool]
  ) throws {
    guard let first = isWritten.firstIndex(of: true), let last = isWritten.lastIndex(of: true)
    else { return }
    let statement = try connection.cached(rangeSQL)
    defer {
      statement.reset()
      statement.clearBindings()
    }
    try batch.bindIdentity(first, to: statement, at: 1)
    try batch.bindIdentity(last, to: statement, at: 2)
    for row in first...last where isWritten[row] {
      // Other rows can be in between; the written rows come in the same order.
      repeat {
        guard try statement.step() else { throw lost(row, nil, batch) }
      } while !batch.isIdentity(row, of: statement)
      for column in conversion.columnNames.indices
      where !batch.isSame(batch.later(row, column), as: statement, at: Int32(column + 1)) {
        throw lost(row, column, batch)
      }
    }
  }

  private func lost(_ row: Int, _ column: Int?, _ batch: RowBatch) -> NacreError {
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
  func moved(by tally: TablePass.Tally) -> RotationJournal {
    var next = self
    next.cursor = tally.cursor ?? cursor
    next.done += Int64(tally.rowCount)
    next.failed += Int64(tally.failures.count)
    return next
  }
}
