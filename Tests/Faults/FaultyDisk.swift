import Foundation
import Synchronization

/// A directory whose calls fail as they are told to, and which knows what a power cut would leave of its files.
///
/// It stands below whatever opens the files by SQLite's default file system: plain connections, and
/// sealed ones. The files are real, with real locks, and only the order in which their bytes would
/// reach a disk is made up: nothing is ever waited for. Names that are given, changed or taken
/// otherwise, as by `link`, are noticed at the next call that concerns names. The index of a log,
/// `-shm`, is no part of it: SQLite never waits for it, and makes it anew.
public final class FaultyDisk: Sendable {
  private struct State {
    var fault: DiskFault?
    /// How many calls still pass before the one that fails.
    var remaining = 0
    var hit: DiskFault.Call?
    var counts: [DiskFault.Call: Int] = [:]
    var history: [DiskChange] = []
    var names: DiskNames
    var characteristics: Int32?
  }

  /// The directory, without symbolic links.
  public let directory: String
  private let state: Mutex<State>

  /// Takes over the files of a directory, none of which may be open.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - takesTemporaryFiles: Whether SQLite's temporary files, which have no name, are this disk's, too; only one disk
  ///     of a process can have them.
  /// - Throws: An error if a file can't be read.
  public init(at directory: String, takesTemporaryFiles: Bool = false) throws {
    let resolved = FaultFileSystem.resolved(directory)
    var names = DiskNames(resolved)
    let history = try names.findAll()
    self.directory = resolved
    state = Mutex(State(history: history, names: names))
    try FaultFileSystem.add(self, takesTemporaryFiles: takesTemporaryFiles)
  }

  deinit { FaultFileSystem.remove(directory) }

  // MARK: - Faults

  /// Lets a call fail that comes from now on.
  public func arm(_ fault: DiskFault) {
    state.withLock {
      $0.fault = fault
      $0.remaining = fault.number
      $0.hit = nil
    }
  }

  /// Lets all calls pass from now on.
  ///
  /// - Returns: The kind of the call that failed; nil if none did.
  @discardableResult
  public func disarm() -> DiskFault.Call? {
    state.withLock { state in
      defer { (state.fault, state.hit) = (nil, nil) }
      return state.hit
    }
  }

  /// Runs a body whose calls neither fail nor count.
  public func withoutFaults<T>(_ body: () throws -> T) rethrows -> T {
    let fault = state.withLock { state in
      defer { state.fault = nil }
      return state.fault
    }
    defer { state.withLock { $0.fault = fault } }
    return try body()
  }

  /// How many calls of some kinds there were so far.
  public func count(of calls: Set<DiskFault.Call>) -> Int {
    state.withLock { state in calls.reduce(0) { $0 + (state.counts[$1] ?? 0) } }
  }

  /// The promises of the device that SQLite may rely on; nil for those of the file system below.
  public var characteristics: Int32? {
    get { state.withLock { $0.characteristics } }
    set { state.withLock { $0.characteristics = newValue } }
  }

  /// Notes a call.
  ///
  /// - Returns: The fault if the call is to fail.
  func pass(_ call: DiskFault.Call) -> DiskFault? {
    state.withLock { state in
      state.counts[call, default: 0] += 1
      guard let fault = state.fault, fault.calls.contains(call), state.hit == nil || fault.lasts
      else { return nil }
      guard state.remaining == 0 else {
        state.remaining -= 1
        return nil
      }
      state.hit = call
      return fault
    }
  }

  // MARK: - Changes

  /// Every change so far, after the files that were found.
  public var history: [DiskChange] {
    state.withLock { state in
      state.history += state.names.look()
      return state.history
    }
  }

  /// How many changes there were so far.
  public var changeCount: Int { history.count }

  func append(_ change: DiskChange) { state.withLock { $0.history.append(change) } }

  /// Notes a file that was opened; returns its number.
  func open(_ path: String, isNew: Bool, _ read: () -> [UInt8]) -> Int {
    state.withLock { state in
      state.names.open(path, isNew: isNew, &state.history, read)
    }
  }

  /// Notes what has become of the names, and that the disk knows them.
  func noteNames(areSynced: Bool) {
    state.withLock { state in
      state.history += state.names.look()
      if areSynced { state.history.append(.syncNames) }
    }
  }
}
