package import NacreCrypto
package import NacreEngine
import NacreStore

/// Looks at the files of one sealed store from outside.
package struct Framing {
  private let files: any OutsideReading
  private var report: FramingReport
  private let header: FileHeader
  /// Where the keys of the header are in the report.
  private let places: [KeyID: Int]

  private static let badPageLimit = 1_000

  /// Reads the header.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - files: Reads it.
  ///   - header: The header to go by; nil for the file's own.
  /// - Throws: `notSealed`, `headerDamaged`, `headerTampered`, `newerFormat`.
  package init(
    of path: String,
    _ files: any OutsideReading,
    by header: FileHeader? = nil
  ) throws {
    self.files = files
    let header = try header ?? FileSealer.header(files.header.read(at:into:))
    self.header = header
    report = FramingReport(
      path: path,
      storeID: header.storeID,
      pageByteCount: header.pageByteCount
    )
    report.slots = header.slots.map { SlotDescription(id: Int64($0.id), kind: $0.kind) }
    report.keys = header.keys.map { FramingReport.KeyUse(key: KeyDescription($0)) }
    places = Dictionary(uniqueKeysWithValues: header.keys.map(\.id).enumerated().map { ($1, $0) })
  }

  /// Looks at the copies of the header, at the ends of all pages and frames, and at the log's header.
  ///
  /// - Parameter pages: Opens the pages with the header's keys; nil without a secret.
  /// - Returns: What was found.
  /// - Throws: ``NacreError`` if the file can't be read.
  package mutating func look(opening pages: (any PageChecking)?) throws -> FramingReport {
    try lookAtCopies()
    noteUnfinished()
    let outline = try NacreError.wrapping {
      try files.read(
        PageShape(
          headerByteCount: FileHeader.byteCount,
          pageByteCount: header.pageByteCount,
          trailerByteCount: PageCipher.trailerByteCount
        )
      ) { look(at: $0, isOpened: pages != nil) }
    }
    take(outline, isOpened: pages != nil)
    if let pages { try open(pages) }
    return report
  }

  // MARK: - Header

  private mutating func lookAtCopies() throws {
    var copies: [[UInt8]] = []
    var sequences: [UInt64?] = []
    // A writer may be between the two copies, or within one.
    for _ in 0..<3 {
      copies = [0, FileHeader.copyByteCount].map { offset in
        var copy = [UInt8](repeating: 0, count: FileHeader.copyByteCount)
        return copy.withUnsafeMutableBytes { files.header.read(at: offset, into: $0) } ? copy : []
      }
      sequences = try NacreError.wrapping {
        try copies.map { (copy) throws(CryptoError) in try FileHeader.sequence(ofWhole: copy) }
      }
      if copies[0] == copies[1] { break }
    }
    report.copies = sequences.map {
      FramingReport.HeaderCopy(sequence: $0, isLikeOther: copies[0] == copies[1])
    }
    for (index, sequence) in sequences.enumerated() where sequence == nil {
      let detail =
        "copy \(index + 1) of the header was damaged; whoever opens the store next writes it anew"
      report.faults.append(StoreFault(.badHeader, detail))
    }
    if let first = sequences[0], let second = sequences[1], first != second {
      let detail =
        "a change of the header reached one copy only: they have the numbers \(first) and \(second); whoever opens the "
        + "store next writes both"
      report.faults.append(StoreFault(.unfinished, detail))
    }
  }

  private mutating func noteUnfinished() {
    if header.keys.contains(where: { $0.state == .enabled }) {
      let detail =
        "the change of the file's key is not done; 'rotate' with the purpose 'file' goes on with it"
      report.faults.append(StoreFault(.unfinished, detail))
    }
    if header.formerStoreKey != nil {
      report.faults.append(StoreFault(.unfinished, "the rewrap is not done"))
    }
  }

  // MARK: - Pages

  /// Counts a page under the key that it names, or notes that it names none that opens.
  ///
  /// - Returns: Whether to read the page again.
  private mutating func look(at page: OutsidePage, isOpened: Bool) -> Bool {
    let id = PageCipher.keyID(inTrailer: page.trailer)
    let place = id.flatMap { places[$0] }
    let opens = place.map { ![.disabled, .destroyed].contains(report.keys[$0].key.state) } ?? false
    if !opens, !page.isLastLook { return true }
    if let place {
      if page.frame == nil {
        report.keys[place].pageCount += 1
      } else {
        report.keys[place].frameCount += 1
      }
    }
    // Whatever opens the pages tells better which do not open.
    if isOpened { return false }
    if opens, page.frame == nil { report.soundPageCount += 1 }
    if opens || page.isReplaced { return false }
    note(
      PageFault(
        number: page.number,
        frame: page.frame,
        kind: id == nil ? .notAuthentic : .unknownKey
      )
    )
    return false
  }

  private mutating func note(_ page: PageFault) {
    report.badPageCount += 1
    if report.badPages.count < Self.badPageLimit { report.badPages.append(BadPage(page)) }
  }

  private mutating func take(_ outline: FileOutline, isOpened: Bool) {
    report.pageCount = outline.pageCount
    report.journalByteCount = outline.journalByteCount
    let isWhole =
      outline.restByteCount == 0 || outline.isRestReplaced || outline.journalByteCount > 0
    if !isWhole, !isOpened {
      note(PageFault(number: UInt32(clamping: outline.pageCount + 1), kind: .missing))
    }
    if outline.rekeyJournalByteCount > 0 {
      let detail =
        "a change of the file's key was cut short; the next one that opens the store mends the pages"
      report.faults.append(StoreFault(.unfinished, detail))
    }
    if outline.hasDraft {
      let detail =
        "a conversion of the file was cut short, and the other file is left; 'convert' deletes it"
      report.faults.append(StoreFault(.unfinished, detail))
    }
    guard let log = outline.log else { return }
    report.log = FramingReport.Log(
      storeID: log.identity.hex,
      salts: withUnsafeBytes(of: log.salts.bigEndian) { Array($0) }.hex,
      frameCount: log.frameCount
    )
    if log.version != FileHeader.version {
      report.faults.append(StoreFault(.badLog, "the log is of version \(log.version)"))
    } else if log.identity != header.storeID.bytes {
      let detail = "the log is that of store \(log.identity.hex)"
      report.faults.append(StoreFault(.badLog, detail))
    }
  }

  /// Opens all pages, in place of a look at their ends.
  private mutating func open(_ pages: any PageChecking) throws {
    report.isAuthenticated = true
    var next: UInt32? = 1
    while let first = next {
      let batch = try NacreError.wrapping { try pages.check(from: first) }
      next = batch.next
      report.soundPageCount += batch.pagesRead - batch.faults.count { $0.frame == nil }
      for page in batch.faults { note(page) }
    }
  }
}
