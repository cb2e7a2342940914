import Foundation

/// Where a key file lies: every directory in which its path, or a symbolic link on the way, is looked up.
///
/// Somebody who may write to one of them can put a file of their own in the key file's place. In a
/// directory with the sticky bit, such as `/tmp`, everybody can, except in place of an entry that
/// exists and belongs to another user.
struct KeyFilePlace {
  /// As many as the system follows.
  private static let maximumLinkCount = 40

  private let path: String
  /// The directory that was reached, without a slash at its end: nothing for the root.
  private var directory = ""
  private var linkCount = 0

  private init(_ path: String) { self.path = path }

  /// Refuses a place where somebody else than this process's user and root can put another file.
  ///
  /// - Parameter path: a key file, or where one is to be made.
  /// - Throws: `replaceableKeyFile`; `badKeyFile` for a path that leads nowhere.
  static func check(_ path: String) throws {
    let start = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
    var place = KeyFilePlace(path)
    try place.follow(names(of: start + path))
  }

  private static func names(of path: String) -> [Substring] {
    path.split(separator: "/").filter { $0 != "." }
  }

  private mutating func follow(_ names: [Substring]) throws {
    var rest = names
    while !rest.isEmpty {
      let name = rest.removeFirst()
      guard name != ".." else {
        directory = String(directory[..<(directory.lastIndex(of: "/") ?? directory.startIndex)])
        continue
      }
      let entry = "\(directory)/\(name)"
      var status = stat()
      guard lstat(entry, &status) == 0 else {
        // The entry does not exist yet, or has no name any more, as a file behind a descriptor.
        guard errno == ENOENT else { throw unreadable(entry) }
        return try checkDirectory(owner: nil)
      }
      try checkDirectory(owner: status.st_uid)
      if status.st_mode & S_IFMT == S_IFLNK {
        rest = try target(of: entry) + rest
      } else {
        directory = entry
      }
    }
  }

  /// Where a symbolic link leads, from the directory in which it lies or from the root.
  private mutating func target(of link: String) throws -> [Substring] {
    linkCount += 1
    guard linkCount <= Self.maximumLinkCount else {
      throw NacreError(.badKeyFile, detail: "\(path) leads through too many symbolic links")
    }
    let target: String
    do {
      target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
    } catch {
      throw NacreError(.badKeyFile, detail: "\(link) can't be read", cause: error)
    }
    if target.hasPrefix("/") { directory = "" }
    return Self.names(of: target)
  }

  /// Looks at the directory that was reached.
  ///
  /// - Parameter owner: whose the entry in it is; nil where there is none.
  /// - Throws: `replaceableKeyFile`; `badKeyFile` where it can't be looked at.
  private func checkDirectory(owner: uid_t?) throws {
    let name = directory.isEmpty ? "/" : directory
    var status = stat()
    guard stat(name, &status) == 0 else { throw unreadable(name) }
    // Root reads where others own: that is for root to decide, who can be anybody.
    guard geteuid() == 0 || FileOwner.isTrusted(status.st_uid) else {
      throw replaceable("the owner of \(name)")
    }
    // A group whose number is the owner's is that user's own.
    let isOfGroup = status.st_mode & S_IWGRP != 0 && status.st_gid != status.st_uid
    guard isOfGroup || status.st_mode & S_IWOTH != 0 else { return }
    guard status.st_mode & S_ISVTX != 0 else {
      throw replaceable("whoever can write to \(name): run chmod go-w")
    }
    guard owner.map(FileOwner.isTrusted) ?? true else {
      throw replaceable("another user, who owns the entry in \(name)")
    }
  }

  private func replaceable(_ who: String) -> NacreError {
    NacreError(.replaceableKeyFile, detail: "\(path) could be replaced by \(who)")
  }

  private func unreadable(_ name: String) -> NacreError {
    NacreError(.badKeyFile, detail: "\(path): \(name): \(lastSystemError())")
  }
}
