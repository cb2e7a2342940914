import Foundation

/// The owners whose files a process may rely on.
enum FileOwner {
  /// Whether a file is this process's user's, or root's.
  static func isTrusted(_ owner: uid_t) -> Bool { owner == geteuid() || isRoot(owner) }

  /// Whether a file is root's.
  static func isRoot(_ owner: uid_t) -> Bool { owner == 0 || owner == unmappedRoot }

  /// The user id that Linux shows for root's files in a user namespace that does not map root, such
  /// as a sandbox; nil elsewhere.
  private static let unmappedRoot: uid_t? = {
    guard let map = FileManager.default.contents(atPath: "/proc/self/uid_map") else { return nil }
    let lines = String(decoding: map, as: UTF8.self).split(separator: "\n")
    // First user here, first user outside, how many: all of them where nothing is hidden.
    let mapsAll = lines.contains { $0.split(separator: " ").last == "4294967295" }
    return mapsAll ? nil : 65_534
  }()
}
