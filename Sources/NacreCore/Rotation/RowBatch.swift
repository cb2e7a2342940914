import NacreSQLite

/// Some rows of one table: what they hold, and what they shall hold, in flat memory that serves one batch after another.
final class RowBatch {
  /// A batch of large values ends here, so that memory does not grow with them.
  private static let byteLimit = 4 << 20

  /// One value, and where its bytes lie; numbers are kept as 8 bytes in the machine's order.
  struct Cell {
    var storageClass = StorageClass.null
    /// Whether it stands in place of the stored one, which lies among other bytes.
    var isReplacement = false
    var start = 0
    var count = 0
  }

  private let table: ConvertedTable
  private let stored = CellBytes()
  private let made = CellBytes()
  private var identities: [Cell] = []
  private var former: [Cell] = []
  private var later: [Cell] = []
  /// Whether a row has a replacement.
  private(set) var isChanged: [Bool] = []
  private(set) var changedCount = 0

  var rowCount: Int { identities.count }

  init(_ table: ConvertedTable) { self.table = table }

  // MARK: Reading

  /// Reads up to so many rows, each the objectID and then what the table says is read.
  ///
  /// - Returns: whether there may be more.
  func read(_ statement: Statement, limit: Int) throws -> Bool {
    removeAll()
    while rowCount < limit, stored.count < RowBatch.byteLimit {
      guard try statement.step() else { return false }
      identities.append(store(statement, at: 0))
      for column in 0..<table.read.count {
        former.append(store(statement, at: Int32(column + 1)))
      }
      for written in table.written {
        later.append(written.source.map { former[former.count - table.read.count + $0] } ?? Cell())
      }
      isChanged.append(false)
    }
    return true
  }

  private func removeAll() {
    stored.removeAll()
    made.removeAll()
    identities.removeAll(keepingCapacity: true)
    former.removeAll(keepingCapacity: true)
    later.removeAll(keepingCapacity: true)
    isChanged.removeAll(keepingCapacity: true)
    changedCount = 0
  }

  private func store(_ statement: Statement, at column: Int32) -> Cell {
    if let bytes = statement.bytes(at: column) { return cell(.blob, bytes) }
    switch statement.storageClass(at: column) {
    case .integer:
      return withUnsafeBytes(of: statement.int64(at: column)) { cell(.integer, $0) }
    case .real:
      return withUnsafeBytes(of: statement.double(at: column)) { cell(.real, $0) }
    // As they are, for bytes that are no UTF-8 have to be found again.
    case .text: return cell(.text, statement.blob(at: column))
    case .null, .blob: return Cell()
    }
  }

  private func cell(_ storageClass: StorageClass, _ bytes: UnsafeRawBufferPointer) -> Cell {
    Cell(storageClass: storageClass, start: stored.append(bytes), count: bytes.count)
  }

  /// The bytes of a row's objectID.
  func identity(_ row: Int) -> UnsafeRawBufferPointer { bytes(identities[row]) }

  /// What a row holds in a column of those that are read.
  func former(_ row: Int, _ column: Int) -> Cell { former[row * table.read.count + column] }

  /// What a row shall hold in a column of those that are written.
  func later(_ row: Int, _ column: Int) -> Cell { later[row * table.written.count + column] }

  /// A cell's bytes; valid until a cell is replaced.
  func bytes(_ cell: Cell) -> UnsafeRawBufferPointer {
    (cell.isReplacement ? made : stored).bytes(at: cell.start, count: cell.count)
  }

  // MARK: Changing

  /// Says what a row shall hold in a column of those that are written; when `fill` throws, that stays as it was.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - column: the column.
  ///   - count: how many bytes the blob has.
  ///   - fill: writes them.
  func replace(
    _ row: Int,
    _ column: Int,
    byteCount count: Int,
    _ fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) rethrows {
    let start = made.count
    do {
      try fill(made.extend(by: count))
    } catch {
      made.truncate(to: start)
      throw error
    }
    put(row, column, Cell(storageClass: .blob, isReplacement: true, start: start, count: count))
  }

  /// Says that a row shall hold NULL in a column of those that are written.
  func replaceWithNull(_ row: Int, _ column: Int) {
    put(row, column, Cell(isReplacement: true))
  }

  private func put(_ row: Int, _ column: Int, _ cell: Cell) {
    later[row * table.written.count + column] = cell
    if !isChanged[row] { changedCount += 1 }
    isChanged[row] = true
  }

  // MARK: Binding and comparing

  /// Binds a cell without copying it: the batch has to stay as it is until the statement has run.
  func bind(_ cell: Cell, to statement: Statement, at parameter: Int32) throws {
    let bytes = bytes(cell)
    switch cell.storageClass {
    case .null: try statement.bindNull(at: parameter)
    case .integer: try statement.bind(bytes.loadUnaligned(as: Int64.self), at: parameter)
    case .real: try statement.bind(bytes.loadUnaligned(as: Double.self), at: parameter)
    case .text: try statement.bind(unownedText: bytes, at: parameter)
    case .blob: try statement.bind(unownedBlob: bytes, at: parameter)
    }
  }

  /// Whether a column of the current row holds exactly what a cell says.
  func isSame(_ cell: Cell, as statement: Statement, at column: Int32) -> Bool {
    let bytes = bytes(cell)
    if cell.storageClass == .blob {
      return statement.bytes(at: column)?.isSame(as: bytes) ?? false
    }
    guard statement.storageClass(at: column) == cell.storageClass else { return false }
    switch cell.storageClass {
    case .null, .blob: return true
    case .integer: return statement.int64(at: column) == bytes.loadUnaligned(as: Int64.self)
    case .real:
      let bits = bytes.loadUnaligned(as: UInt64.self)
      return statement.double(at: column).bitPattern == bits
    case .text: return statement.blob(at: column).isSame(as: bytes)
    }
  }
}

/// The table that a pass goes over.
struct ConvertedTable {
  /// A column that is written.
  struct Written {
    let column: String
    /// The property that it belongs to, for errors.
    let property: String
    /// The column of those that are read whose value it keeps where nothing replaces it; nil is NULL.
    let source: Int?
  }

  let entity: String
  let table: String
  /// The columns that are read, and that must still hold the same when the row is written.
  let read: [String]
  let written: [Written]
}
