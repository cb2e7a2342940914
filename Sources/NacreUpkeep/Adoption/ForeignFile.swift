import Foundation
import NacreEngine
import NacreStore

/// A foreign SQLite file, opened only for reading.
///
/// Whoever wrote it may be an attacker. Only ordinary tables are read, by their stored columns: never a view, a virtual
/// table or a generated column, whose content the file's own SQL would compute. No trigger runs, because nothing is
/// written.
final class ForeignFile {
  let connection: any EngineConnection
  private let path: String
  /// More rows than this a table can't have, because each takes a byte and more.
  private let rowLimit: Int64
  private var rowCounts: [String: Int] = [:]

  /// - Throws: ``NacreError`` with code `notAdoptable`, or `cannotOpen` if there is no file.
  init(_ home: any EngineHome) throws {
    let path = home.path
    self.path = path
    rowLimit = ["", "-wal"].reduce(0) { $0 + ForeignFile.byteCount(path + $1) }
    connection = try ForeignFile.reading(path) { try home.connect(.inspector) }
    guard try !ForeignFile.reading(path, { try connection.has("nacre_store") }) else {
      throw NacreError(
        .notAdoptable,
        detail: "\(path) is a store of Nacre",
        advice: "Open it, or move its objects by an export and an import; nothing was changed."
      )
    }
  }

  deinit { try? connection.close() }

  /// Runs the body on one state of the file.
  func snapshot<T>(_ body: () throws -> T) throws -> T {
    try connection.transaction(.deferred, body)
  }

  // MARK: Tables

  /// Finds a table by its name, in any case.
  ///
  /// - Throws: ``NacreError`` with code `badMapping` if there is none, or something else of that name.
  func table(_ name: String) throws -> ForeignTable {
    try reading {
      guard let found = try connection.schema.table(inAnyCase: name) else {
        throw NacreError(.badMapping, detail: "the file has no table \(name)")
      }
      guard found.kind == .table, !found.isInternal else {
        throw NacreError(
          .badMapping,
          detail: "\(name) is no ordinary table of the file (\(found.kind.rawValue))"
        )
      }
      let isNumbered = try connection.schema.rowKeyRefusal(ofTable: found.name) == nil
      return ForeignTable(
        name: found.name,
        columns: try connection.columnNames(of: found.name),
        number: isNumbered ? connection.dialect.rowKeyColumn : nil
      )
    }
  }

  /// Counts the rows of a table, though never more than fit into the file.
  func rowCount(of table: ForeignTable) throws -> Int {
    if let count = rowCounts[table.name] { return count }
    let limit = Int(clamping: rowLimit)
    let count = try reading { try connection.rowCount(of: table.name, upTo: limit) }
    rowCounts[table.name] = count
    return count
  }

  /// Passes each row to the body, in the order of the table.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - columns: the columns of each row.
  ///   - body: the work on a row.
  /// - Throws: ``NacreError`` with code `notAdoptable`; the error of the body.
  func rows(
    of table: ForeignTable,
    _ columns: [String],
    _ body: (ForeignRow) throws -> Void
  ) throws {
    let sql = AdoptionSQL.rows(table: table.name, columns: columns, number: table.number)
    let statement = try reading { try connection.bound(sql, []) }
    defer { statement.reset() }
    var count: Int64 = 0
    while try reading({ try statement.step() }) {
      count += 1
      if count > rowLimit {
        throw NacreError(
          .notAdoptable,
          detail: "\(path): \(table.name) has more rows than fit into the file"
        )
      }
      let number = table.number == nil ? count : statement.int64(at: 0)
      try body(ForeignRow(number: number, columns: columns, statement))
    }
  }

  // MARK: Errors

  private func reading<T>(_ body: () throws -> T) throws -> T {
    try ForeignFile.reading(path, body)
  }

  /// Maps the engine's errors: a damaged foreign file is no damaged store.
  private static func reading<T>(_ path: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as any EngineError where error.kind != .busy {
      throw NacreError(.notAdoptable, detail: path, cause: error.withoutTexts())
    } catch let error as HomeError where error.kind != .cannotOpen {
      throw NacreError(.notAdoptable, detail: error.detail, cause: error.cause)
    } catch {
      throw NacreError.wrap(error)
    }
  }

  private static func byteCount(_ path: String) -> Int64 {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let size = try? FileManager.default.attributesOfItem(atPath: file)[.size]
    return (size as? NSNumber)?.int64Value ?? 0
  }
}

/// An ordinary table of a foreign file.
struct ForeignTable {
  /// The name, in the case in which the table was made.
  let name: String
  private let columns: [SQLName: String]
  /// The column by which the engine numbers the rows; nil if it does not.
  let number: String?

  init(name: String, columns: [String], number: String?) {
    self.name = name
    self.columns = Dictionary(columns.map { (SQLName($0), $0) }) { first, _ in first }
    self.number = number
  }

  /// Returns a column's name as the file has it.
  ///
  /// - Throws: ``NacreError`` with code `badMapping` if the table has no such column.
  func column(_ name: String) throws -> String {
    guard let column = columns[SQLName(name)] else {
      throw NacreError(.badMapping, detail: "the table \(self.name) has no column \(name)")
    }
    return column
  }
}

/// The current row of a foreign table.
struct ForeignRow {
  /// The largest value that is read; several of that size fit into memory.
  private static let byteLimit = 1 << 28

  /// The row's number.
  let number: Int64
  private let columns: [String]
  private let statement: any PreparedStatement

  init(number: Int64, columns: [String], _ statement: any PreparedStatement) {
    self.number = number
    self.columns = columns
    self.statement = statement
  }

  /// Returns the value of a column, by its place among those that were asked for.
  ///
  /// - Throws: ``AdoptionFault`` for a text that is not UTF-8, and for a value that is too large.
  func value(at place: Int) throws -> Value {
    let column = Int32(place + 1)
    switch statement.storageClass(at: column) {
    case .null: return .null
    case .integer: return .integer(statement.int64(at: column))
    case .real: return .real(statement.double(at: column))
    case .text:
      try refuseTooLarge(place)
      var text = statement.text(at: column)
      // Only after the text was read are the bytes those of UTF-8, whatever the encoding of the file.
      let bytes = statement.blob(at: column)
      let isWhole = text.withUTF8 { UnsafeRawBufferPointer($0).elementsEqual(bytes) }
      guard isWhole else { throw AdoptionFault(.brokenText, column: columns[place]) }
      return .text(text)
    case .blob:
      try refuseTooLarge(place)
      return .blob(Data(statement.blob(at: column)))
    }
  }

  private func refuseTooLarge(_ place: Int) throws {
    guard statement.byteCount(at: Int32(place + 1)) <= ForeignRow.byteLimit else {
      throw AdoptionFault(.tooLarge, column: columns[place])
    }
  }
}
