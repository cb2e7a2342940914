import Foundation

/// The owners whose files a process may rely on.
enum FileOwner {
  /// Returns whether a file belongs to this process's user or to root.
  static func isTrusted(_ owner: uid_t) -> Bool { owner == geteuid() || isRoot(owner) }

  /// Returns whether a file belongs to root.
  static func isRoot(_ owner: uid_t) -> Bool { owner == 0 || owner == unmappedRoot }

  /// The user id that Linux shows for root's files in a user namespace that does not map root, such
  /// as a sandbox; nil if root's files appear as root's.
  private static let unmappedRoot: uid_t? = {
    guard let map = FileManager.default.contents(atPath: "/proc/self/uid_map") else { return nil }
    let lines = String(decoding: map, as: UTF8.self).split(separator: "\n")
    // A line has the first user inside, the first user outside and the number of users; this number
    // means all users.
    let mapsAll = lines.contains { $0.split(separator: " ").last == "4294967295" }
    return mapsAll ? nil : 65_534
  }()
}
