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
/// SQLite's own waiting (`sqlite3_busy_timeout`) looks for the lock only every 100 ms in the end. Beside processes that
/// write without a pause, which take the lock again at once, it may never find it free.
final class BusyWait {
  /// How long is waited for one lock.
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

  /// Naps before the next try; false once the time is up.
  private func wait(_ count: Int32) -> Bool {
    if count == 0 { begun = .now }
    guard ContinuousClock.now - begun < .milliseconds(Int(timeoutMilliseconds)) else {
      return false
    }
    // Most transactions are shorter than a millisecond.
    usleep(count < 8 ? 200 : 2_000)
    return true
  }
}
