import CBenchMemory
import Foundation

/// The process's resident memory and its peak, where the kernel tells and resets it (Linux).
enum ResidentMemory {
  /// Gives unused memory back and makes the current size the new peak; gives that size in bytes.
  static func resetPeak() -> Int? {
    bench_release_free_memory()
    guard let file = fopen("/proc/self/clear_refs", "w") else { return nil }
    // 5 resets VmHWM (proc(5)).
    let written = fputs("5", file)
    guard fclose(file) == 0, written >= 0 else { return nil }
    return read("VmRSS:")
  }

  /// By how many bytes the process has grown at most since `resetPeak()` gave `start`.
  static func growth(since start: Int?) -> Int? {
    guard let start, let peak = read("VmHWM:") else { return nil }
    return max(0, peak - start)
  }

  private static func read(_ field: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(field) }),
      let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({
        Int($0)
      })
    else { return nil }
    return kibibytes * 1024
  }
}
