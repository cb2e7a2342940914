import NacreEngine
import Synchronization

/// A sealer whose seals fail when a test says so, and which notices a cipher that two threads use at once.
final class FailingSealer: PageSealer {
  struct Failure: Error {}

  private let base: any PageSealer
  /// How many more pages are sealed; nil for all.
  private let rest = Mutex<Int?>(nil)
  private let overlapCount = Atomic(0)

  init(_ base: any PageSealer) { self.base = base }

  /// Lets all seals fail but the next ones.
  func fail(after count: Int) { rest.withLock { $0 = count } }

  func mend() { rest.withLock { $0 = nil } }

  /// How often a thread used a cipher that another one was using.
  var overlaps: Int { overlapCount.load(ordering: .sequentiallyConsistent) }

  var headerByteCount: Int { base.headerByteCount }
  var pageByteCount: Int { base.pageByteCount }
  var trailerByteCount: Int { base.trailerByteCount }
  var identity: [UInt8] { base.identity }

  func sealing() throws -> any PageSealing { FailingSealing(of: self, try base.sealing()) }
  func temporaryCipher() throws -> any BlockCipher { try base.temporaryCipher() }
  func forCopy() throws -> (sealer: any PageSealer, header: [UInt8]) { try base.forCopy() }
  func follow(_ read: (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool) throws {
    try base.follow(read)
  }

  fileprivate func passSeal() throws {
    try rest.withLock { rest in
      guard let count = rest else { return }
      guard count > 0 else { throw Failure() }
      rest = count - 1
    }
  }

  fileprivate func noteOverlap() { overlapCount.add(1, ordering: .sequentiallyConsistent) }
}

private final class FailingSealing: PageSealing {
  private let sealer: FailingSealer
  private let base: any PageSealing
  private let isInUse = Atomic(false)

  init(of sealer: FailingSealer, _ base: any PageSealing) {
    self.sealer = sealer
    self.base = base
  }

  private func alone<T>(_ body: () throws -> T) rethrows -> T {
    if isInUse.exchange(true, ordering: .sequentiallyConsistent) { sealer.noteOverlap() }
    defer { isInUse.store(false, ordering: .sequentiallyConsistent) }
    return try body()
  }

  func beginLock() { alone { base.beginLock() } }

  func seal(
    _ page: UnsafeRawBufferPointer,
    number: UInt32,
    at place: PageLocation,
    checksum: UInt64,
    into sealed: UnsafeMutableRawBufferPointer
  ) throws {
    try alone {
      try sealer.passSeal()
      try base.seal(page, number: number, at: place, checksum: checksum, into: sealed)
    }
  }

  func isCurrent(_ sealed: UnsafeRawBufferPointer) -> Bool { alone { base.isCurrent(sealed) } }

  func open(
    _ sealed: UnsafeRawBufferPointer,
    number: UInt32,
    at place: PageLocation,
    into page: UnsafeMutableRawBufferPointer
  ) throws -> PageOpening {
    try alone { try base.open(sealed, number: number, at: place, into: page) }
  }

  func mark(_ kind: PageMark, _ bytes: [UInt8]) throws -> [UInt8] {
    try alone { try base.mark(kind, bytes) }
  }

  func check(_ kind: PageMark, _ bytes: [UInt8], _ mark: [UInt8]) throws -> PageOpening {
    try alone { try base.check(kind, bytes, mark) }
  }
}
