import NacreEngine
import NacreStore

// The pages of a sealed file, also those that no table reaches.

extension Verification {
  /// Opens every page of a sealed file and each committed frame of its log, and notes those that do not open.
  ///
  /// - Returns: whether to go on.
  func readPages() throws -> Bool {
    try store.forEachPageBatch { batch in
      report.pageCount += batch.pagesRead
      report.frameCount += batch.framesRead
      report.badPageCount += batch.faults.count
      let room = max(0, options.badPageLimit - report.badPages.count)
      report.badPages += batch.faults.prefix(room).map(BadPage.init)
      return progress(
        VerificationProgress(
          unit: .pages,
          entity: nil,
          done: report.pageCount,
          total: max(report.pageCount, batch.pageCount),
          badCellCount: 0,
          badPageCount: report.badPageCount
        )
      )
    }
  }

  /// Runs the body, and notes a page that kept it from reading all that it wanted.
  ///
  /// - Parameters:
  ///   - entity: the entity that is being read; nil outside of one.
  ///   - body: reads.
  /// - Returns: what `body` returned; nil if a page was in the way.
  /// - Throws: the other errors of `body`.
  @discardableResult
  func noting<T>(in entity: String? = nil, _ body: () throws -> T) throws -> T? {
    do {
      return try body()
    } catch let error as NacreError where error.code == .pageTampered {
      isCutShort = true
      let detail = "not all could be read: " + (error.finding ?? "a page does not open")
      report.faults.append(StoreFault(.badPage, entity: entity, detail))
      return nil
    }
  }

  /// Counts the rows that are to be looked at; a table with a bad page counts for none.
  func countRows(of shapes: [EntityShape]) throws {
    for shape in shapes where shape.isReadable {
      for table in [shape.entity.table] + shape.joins.map(\.join.table) {
        do {
          rowsTotal += try store.read { try $0.connection.rowCount(of: table) }
        } catch let error as NacreError where error.code == .pageTampered {}
      }
    }
  }
}

extension Store {
  /// Calls a closure with each batch of a sealed file's pages; not at all if the file is not sealed.
  ///
  /// - Parameter body: returns whether to go on.
  /// - Returns: whether all pages were read.
  /// - Throws: ``NacreError``; the error of `body`.
  func forEachPageBatch(_ body: (PageFindings) throws -> Bool) throws -> Bool {
    guard let pages = try NacreError.wrapping({ try engine.pageChecking() }) else { return true }
    // The connection has no transaction and is gone in any case.
    defer { try? pages.close() }
    var next: UInt32? = 1
    while let first = next {
      let batch = try NacreError.wrapping { try pages.check(from: first) }
      next = batch.next
      guard try body(batch) else { return false }
    }
    return true
  }

  /// The pages of a sealed file that do not open, as faults of the file.
  func pageFaults() throws -> [StoreFault] {
    var (faults, count) = ([StoreFault](), 0)
    _ = try forEachPageBatch { batch in
      count += batch.faults.count
      faults += batch.faults.prefix(StoreFault.badPageLimit - faults.count).map { page in
        StoreFault(.badPage, BadPage(page).description)
      }
      return true
    }
    if count > faults.count {
      faults.append(StoreFault(.badPage, "\(count - faults.count) more pages do not open"))
    }
    return faults
  }
}

extension StoreFault {
  /// How many pages are named one by one.
  fileprivate static let badPageLimit = 100
}
