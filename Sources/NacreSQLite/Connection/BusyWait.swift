import CSQLite

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Waits in short naps for a lock that another connection holds.
///
/// SQLite's own wait (`sqlite3_busy_timeout`) ends up looking for the lock only every 100 ms. If other processes write
/// without a pause and take the lock again at once, it may never find the lock free.
final class BusyWait {
  /// How long the connection waits for one lock.
  var timeoutMilliseconds: Int32
  private var begun = ContinuousClock.now

  init(timeoutMilliseconds: Int32) { self.timeoutMilliseconds = timeoutMilliseconds }

  func install(on connection: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_busy_handler(
      connection,
      { context, count in
        guard let context else { return 0 }
        return Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue().wait(count) ? 1 : 0
      },
      context
    )
  }

  /// Naps before the next try; returns false once the time is up.
  private func wait(_ count: Int32) -> Bool {
    if count == 0 { begun = .now }
    guard ContinuousClock.now - begun < .milliseconds(Int(timeoutMilliseconds)) else {
      return false
    }
    // Most transactions are shorter than a millisecond.
    Self.nap(microseconds: count < 8 ? 200 : 2_000)
    return true
  }

  /// Lets others go on for a while.
  static func nap(microseconds: UInt32) { usleep(microseconds) }
}
