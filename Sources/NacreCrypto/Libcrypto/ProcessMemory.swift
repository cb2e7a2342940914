internal import COpenSSL

/// Hides this process's memory from others, for a program that only uses keys.
package enum ProcessMemory {
  /// Keeps the memory out of core dumps.
  ///
  /// On Linux it also hides the memory from debuggers of the same user and from the backtrace that Swift makes of a
  /// crash.
  ///
  /// - Returns: Whether the system did so.
  package static func hide() -> Bool { nacre_hide_process() == 1 }
}
