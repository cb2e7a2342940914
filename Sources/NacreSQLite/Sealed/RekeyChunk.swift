import CSQLite
import NacreEngine

/// Pages of a rekey's batch, which any thread may seal anew while the connection's own reads and writes.
///
/// Sealing needs no more than the chunk's memory and its cipher: no file, and nothing of the connection.
final class RekeyChunk: @unchecked Sendable {
  // Sendable holds: from `begin` to `finish` only one thread has it, the one that seals; otherwise only the connection's.

  private let memory: UnsafeMutableRawBufferPointer
  private let pageByteCount: Int
  private let capacity: Int
  private let sealing: any PageSealing
  private var work: AheadWork?
  /// The numbers of the pages that it has, in ascending order.
  private(set) var numbers: [UInt32] = []
  /// The numbers of the pages that did not open; it has them no longer.
  private(set) var unopened: [UInt32] = []
  /// Why the cipher failed.
  private(set) var fault: SealedFault?

  /// Makes an empty chunk.
  ///
  /// - Throws: An error if memory or the keys are missing.
  init(of connection: SealedConnection, capacity: Int) throws {
    sealing = try connection.sealer.sealing()
    pageByteCount = connection.pageByteCount
    self.capacity = capacity
    memory = .allocate(byteCount: capacity * pageByteCount, alignment: 4_096)
    numbers.reserveCapacity(capacity)
  }

  deinit { memory.deallocate() }

  /// Takes over the present keys, once a lock is taken under which pages are written.
  func beginLock() { sealing.beginLock() }

  // MARK: - Filling

  /// Lets go of its pages.
  func clear() {
    numbers.removeAll(keepingCapacity: true)
    unopened.removeAll(keepingCapacity: true)
    fault = nil
  }

  /// How many more pages it can take.
  var roomCount: Int { capacity - numbers.count }

  /// The memory of the next pages, into which they are read.
  func room(for count: Int) -> UnsafeMutableRawBufferPointer {
    pages(numbers.count..<numbers.count + count)
  }

  /// Takes those pages, of all that were read into its room, that are not under the present key.
  func take(_ read: Range<UInt32>, except excluded: UInt32) {
    let first = numbers.count
    for (index, number) in read.enumerated() where number != excluded {
      let page = UnsafeRawBufferPointer(pages(first + index..<first + index + 1))
      if sealing.isCurrent(page) { continue }
      if numbers.count < first + index { room(for: 1).copyMemory(from: page) }
      numbers.append(number)
    }
  }

  // MARK: - Sealing

  /// Lets another thread seal the pages anew, if one is free.
  func begin() {
    if !numbers.isEmpty { work = AheadWork { [self] in seal() } }
  }

  /// Returns when the pages are sealed anew; this thread does it if no other has begun.
  func finish() {
    work?.finish()
    work = nil
  }

  /// Seals the pages anew in their places; those behind a page that does not open move up.
  private func seal() {
    var count = 0
    for index in 0..<numbers.count {
      let (number, page) = (numbers[index], pages(count..<count + 1))
      guard let isOpened = open(index, number, into: page) else { break }
      guard isOpened else {
        // It may be torn by a checkpoint that was killed, and the next one will write it.
        unopened.append(number)
        continue
      }
      guard seal(page, number) else { break }
      numbers[count] = number
      count += 1
    }
    numbers.removeLast(numbers.count - count)
  }

  /// Whether a page opens; nil if the cipher fails.
  private func open(
    _ index: Int,
    _ number: UInt32,
    into page: UnsafeMutableRawBufferPointer
  ) -> Bool? {
    do {
      let sealed = UnsafeRawBufferPointer(pages(index..<index + 1))
      let opening = try sealing.open(sealed, number: number, at: .file, into: page)
      if case .opened = opening { return true }
      return false
    } catch {
      fault = SealedFault(.sealer, "page \(number) can't be opened", cause: error)
      return nil
    }
  }

  /// Seals an opened page in its place; false if the cipher fails.
  private func seal(_ page: UnsafeMutableRawBufferPointer, _ number: UInt32) -> Bool {
    do {
      let opened = UnsafeRawBufferPointer(page)
      try sealing.seal(opened, number: number, at: .file, checksum: 0, into: page)
      return true
    } catch {
      // Plaintext does not stay in memory that is given back.
      page.cleanse()
      fault = SealedFault(.sealer, "page \(number) can't be sealed", cause: error)
      return false
    }
  }

  // MARK: - The pages

  /// Calls a closure with each page and its number.
  ///
  /// - Returns: SQLITE_OK, or the first other code of the closure.
  func forEach(_ body: (_ number: UInt32, _ page: UnsafeRawBufferPointer) -> Int32) -> Int32 {
    for (index, number) in numbers.enumerated() {
      let result = body(number, UnsafeRawBufferPointer(pages(index..<index + 1)))
      guard result == SQLITE_OK else { return result }
    }
    return SQLITE_OK
  }

  /// Calls a closure with the pages that are neighbours in the file, so many at a time at most.
  ///
  /// - Returns: SQLITE_OK, or the first other code of the closure.
  func forEachRun(
    limit: Int,
    _ body: (_ first: UInt32, _ pages: UnsafeRawBufferPointer) -> Int32
  ) -> Int32 {
    var start = 0
    while start < numbers.count {
      var end = start + 1
      while end < numbers.count, end - start < limit, numbers[end] == numbers[end - 1] + 1 {
        end += 1
      }
      let result = body(numbers[start], UnsafeRawBufferPointer(pages(start..<end)))
      guard result == SQLITE_OK else { return result }
      start = end
    }
    return SQLITE_OK
  }

  /// The memory of pages by their places in the chunk.
  private func pages(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    .init(rebasing: memory[range.lowerBound * pageByteCount..<range.upperBound * pageByteCount])
  }
}
