import CSQLite
import NacreEngine

/// Opens the committed frames of a sealed log one after the other, beside those who write it.
///
/// It remembers how far it came, and of which pages the log has the content.
final class SealedLogCheck {
  private let connection: SealedConnection
  private let name: FileName
  /// The salts of the log whose frames were read; 0 before the first one.
  private var salts: UInt64 = 0
  private var next: UInt32 = 1
  /// The pages of frames whose commit has not been read yet.
  private var uncommitted: [UInt32] = []
  private var committed = PageNumbers()
  /// How many pages the database has after the last commit in the log; nil if the log has none.
  private(set) var databasePageCount: UInt32?

  private static let restartLimit = 100

  init(_ connection: SealedConnection) {
    self.connection = connection
    name = FileName(connection.path + SealedFileSystem.logEnding)
  }

  /// Whether the log has the content of a page, so that the page of the file need not open.
  func has(_ number: UInt32) -> Bool { committed.contains(number) }

  private func forget() {
    (salts, next, databasePageCount) = (0, 1, nil)
    uncommitted = []
    committed = PageNumbers()
  }

  // MARK: - Frames

  /// Reads the frames that were committed since the last call.
  ///
  /// A log that was begun anew has nothing that the file lacks, so what was known of it is forgotten.
  ///
  /// - Returns: SQLITE_OK, also for a log that is missing or torn; the code of a fault.
  func follow(_ findings: inout PageFindings) -> Int32 {
    guard case .success(let file) = open() else {
      forget()
      return SQLITE_OK
    }
    defer { _ = file.close() }
    for _ in 0..<Self.restartLimit {
      var header = SealedLogHeader(connection, file)
      let result = header.refresh()
      guard result == SQLITE_OK else { return result }
      // Without SQLite's index, the frames that open are taken for committed.
      let index = connection.hasLog ? LogIndexHeader(connection.base) : nil
      if header.salts == 0 || index.map({ $0.frameCount == 0 }) ?? false {
        forget()
        return SQLITE_OK
      }
      // Between the two, somebody has begun the log anew.
      if let index, index.salts != header.salts { continue }
      if header.salts != salts { forget() }
      salts = header.salts
      if readFrames(file, limit: index?.frameCount, &findings) { return SQLITE_OK }
    }
    return SQLITE_OK
  }

  private func open() -> Result<BaseFile, OpeningFailure> {
    BaseFile.open(nil, keeping: name, SQLITE_OPEN_READONLY | SQLITE_OPEN_WAL, nil)
  }

  /// Reads frames up to the last one that is committed.
  ///
  /// - Returns: Whether they are those of one log; false if it was begun anew meanwhile.
  private func readFrames(
    _ file: BaseFile,
    limit: UInt32?,
    _ findings: inout PageFindings
  ) -> Bool {
    while next <= limit ?? .max {
      let (parts, fault) = readFrame(next, file)
      if let fault {
        // Nothing says where the log ends but that a frame does not open.
        guard limit != nil else { break }
        if LogIndexHeader(connection.base)?.salts != salts { return false }
        findings.faults.append(PageFault(number: parts.number, frame: next, kind: fault))
      } else {
        uncommitted.append(parts.number)
        if parts.size != 0 { commit(parts.size) }
      }
      findings.framesRead += 1
      next += 1
    }
    // The last frame that SQLite counts is a commit, whether or not it opens.
    if limit != nil { commit(nil) }
    return true
  }

  private func commit(_ pageCount: UInt32?) {
    for number in uncommitted { committed.insert(number) }
    uncommitted = []
    if let pageCount { databasePageCount = pageCount }
  }

  private func readFrame(
    _ frame: UInt32,
    _ file: BaseFile
  ) -> (parts: FrameHeader, fault: PageFault.Kind?) {
    let byteCount = SealedLog.frameHeaderByteCount + connection.pageByteCount
    let sealed = UnsafeMutableRawBufferPointer(rebasing: connection.scratch[..<byteCount])
    sealed.initializeMemory(as: UInt8.self, repeating: 0)
    let place = SealedLogHeader.byteCount + Int64(frame - 1) * Int64(byteCount)
    let result = file.read(into: sealed, at: place)
    let parts = FrameHeader(UnsafeRawBufferPointer(sealed))
    guard result == SQLITE_OK else {
      return (parts, result == ResultCode.shortRead ? .missing : .unreadable)
    }
    guard parts.number != 0, parts.salts == salts else { return (parts, .notAuthentic) }
    let opening = connection.open(
      UnsafeRawBufferPointer(rebasing: sealed[SealedLog.frameHeaderByteCount...]),
      number: parts.number,
      at: .log(salts: salts, frame: frame, size: parts.size),
      into: connection.opened
    )
    return (parts, opening.fault)
  }
}

extension Optional<PageOpening> {
  /// Why a page does not open; nil if it does.
  var fault: PageFault.Kind? {
    switch self {
    case .opened: nil
    case .notAuthentic: .notAuthentic
    case .unknownKey: .unknownKey
    case nil: .unreadable
    }
  }
}

/// A set of page numbers that takes a bit for each page up to the greatest.
struct PageNumbers {
  private var words: [UInt64] = []

  func contains(_ number: UInt32) -> Bool {
    let word = Int(number / 64)
    return word < words.count && words[word] & 1 << UInt64(number % 64) != 0
  }

  mutating func insert(_ number: UInt32) {
    let word = Int(number / 64)
    if word >= words.count {
      words += [UInt64](repeating: 0, count: word + 1 - words.count)
    }
    words[word] |= 1 << UInt64(number % 64)
  }
}
