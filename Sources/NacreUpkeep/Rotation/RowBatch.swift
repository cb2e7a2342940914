import NacreEngine
import NacreStore

/// Some rows of one table, with their former and new content, in flat memory that is reused for each batch.
final class RowBatch {
  /// A batch ends at this size, so that memory does not grow with large values.
  private static let byteLimit = 4 << 20

  /// One value and the place of its bytes; numbers are kept as 8 bytes in the machine's order.
  struct Cell {
    var storageClass = StorageClass.null
    /// Whether it replaces the stored value; the bytes of replacements are in a buffer of their own.
    var isReplacement = false
    var start = 0
    var count = 0
  }

  private let key: RowKey
  private let columnCount: Int
  private let stored = CellBytes()
  private let made = CellBytes()
  // Unchecked: one thread reads them for each cell of each row.
  @exclusivity(unchecked) private var identities: [Cell] = []
  @exclusivity(unchecked) private var former: [Cell] = []
  @exclusivity(unchecked) private var later: [Cell] = []
  /// Whether a row has a replacement.
  @exclusivity(unchecked) private(set) var isChanged: [Bool] = []
  @exclusivity(unchecked) private(set) var changedCount = 0
  /// The values that did not open.
  private(set) var failures: [UnopenedCell] = []
  /// How many rows were read, including those that were not kept.
  @exclusivity(unchecked) private(set) var readCount = 0

  var rowCount: Int { identities.count }

  init(key: RowKey, columnCount: Int) {
    self.key = key
    self.columnCount = columnCount
  }

  // MARK: Reading

  /// Reads the current row: its key and then the columns.
  ///
  /// - Parameters:
  ///   - statement: the rows.
  ///   - isWanted: whether the row is to be kept.
  /// - Returns: whether there is room for another row.
  func read(_ statement: any PreparedStatement, isWanted: Bool) -> Bool {
    readCount += 1
    guard isWanted else { return true }
    identities.append(identity(statement))
    for column in 0..<columnCount {
      let cell = store(statement, at: Int32(column + 1))
      former.append(cell)
      later.append(cell)
    }
    isChanged.append(false)
    return stored.count < RowBatch.byteLimit
  }

  private func identity(_ statement: any PreparedStatement) -> Cell {
    if key == .objectID { return store(statement, at: 0) }
    return withUnsafeBytes(of: RowKey.bytes(statement.int64(at: 0))) { cell(.blob, $0) }
  }

  /// Forgets all rows, before the next ones are read.
  func removeAll() {
    stored.removeAll()
    made.removeAll()
    identities.removeAll(keepingCapacity: true)
    former.removeAll(keepingCapacity: true)
    later.removeAll(keepingCapacity: true)
    isChanged.removeAll(keepingCapacity: true)
    changedCount = 0
    failures = []
    readCount = 0
  }

  private func store(_ statement: any PreparedStatement, at column: Int32) -> Cell {
    if let bytes = statement.bytes(at: column) { return cell(.blob, bytes) }
    switch statement.storageClass(at: column) {
    case .integer:
      return withUnsafeBytes(of: statement.int64(at: column)) { cell(.integer, $0) }
    case .real:
      return withUnsafeBytes(of: statement.double(at: column)) { cell(.real, $0) }
    // Keep the bytes as they are, because a text that is not UTF-8 has to be found again.
    case .text: return cell(.text, statement.blob(at: column))
    case .null, .blob: return Cell()
    }
  }

  private func cell(_ storageClass: StorageClass, _ bytes: UnsafeRawBufferPointer) -> Cell {
    Cell(storageClass: storageClass, start: stored.append(bytes), count: bytes.count)
  }

  /// The bytes of a row's key; those of rowids sort as the rowids do.
  func identity(_ row: Int) -> UnsafeRawBufferPointer { bytes(identities[row]) }

  /// The content of a row's column as it was read.
  func former(_ row: Int, _ column: Int) -> Cell { former[row * columnCount + column] }

  /// The content that a row's column will have.
  func later(_ row: Int, _ column: Int) -> Cell { later[row * columnCount + column] }

  /// A cell's bytes; valid until a cell is replaced.
  func bytes(_ cell: Cell) -> UnsafeRawBufferPointer {
    (cell.isReplacement ? made : stored).bytes(at: cell.start, count: cell.count)
  }

  // MARK: Changing

  /// Replaces the content of a row's column by a blob; if `fill` throws, the content stays as it was.
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

  /// Replaces the content of a row's column by NULL.
  func replaceWithNull(_ row: Int, _ column: Int) {
    put(row, column, Cell(isReplacement: true))
  }

  /// Notes a value that does not open, and stays as it is.
  func fail(_ cell: UnopenedCell) { failures.append(cell) }

  private func put(_ row: Int, _ column: Int, _ cell: Cell) {
    later[row * columnCount + column] = cell
    if !isChanged[row] { changedCount += 1 }
    isChanged[row] = true
  }

  // MARK: Binding and comparing

  /// Binds a row's key without copying it.
  func bindIdentity(_ row: Int, to statement: any PreparedStatement, at parameter: Int32) throws {
    let bytes = identity(row)
    if key == .rowID, let rowID = RowKey.rowID(bytes) {
      return try statement.bind(rowID, at: parameter)
    }
    try statement.bind(unownedBlob: bytes, at: parameter)
  }

  /// Whether the current row of the statement has a row's key.
  func isIdentity(_ row: Int, of statement: any PreparedStatement) -> Bool {
    if key == .rowID { return statement.int64(at: 0) == RowKey.rowID(identity(row)) }
    return statement.bytes(at: 0)?.isSame(as: identity(row)) == true
  }

  /// Binds a cell without copying it: the batch must not change until the statement has run.
  func bind(_ cell: Cell, to statement: any PreparedStatement, at parameter: Int32) throws {
    let bytes = bytes(cell)
    switch cell.storageClass {
    case .null: try statement.bindNull(at: parameter)
    case .integer: try statement.bind(bytes.loadUnaligned(as: Int64.self), at: parameter)
    case .real: try statement.bind(bytes.loadUnaligned(as: Double.self), at: parameter)
    case .text: try statement.bind(unownedText: bytes, at: parameter)
    case .blob: try statement.bind(unownedBlob: bytes, at: parameter)
    }
  }

  /// Whether a column of the current row is exactly equal to a cell.
  func isSame(_ cell: Cell, as statement: any PreparedStatement, at column: Int32) -> Bool {
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
