internal import COpenSSL

/// What others get to see of this process's memory: for a program that is nothing but a user of keys.
package enum ProcessMemory {
  /// Keeps it from core dumps, on Linux also from debuggers of the same user, and from the backtrace that Swift makes of
  /// a crash.
  ///
  /// - Returns: whether the system did so.
  package static func hide() -> Bool { nacre_hide_process() == 1 }
}
