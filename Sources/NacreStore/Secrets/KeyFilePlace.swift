import Foundation
import NacreEngine

/// The place of a key file: every directory in which its path, or a symbolic link on the way, is
/// looked up.
///
/// A user who can write to one of these directories can replace the key file by another file. In a
/// directory with the sticky bit, such as `/tmp`, every user can do so, unless the entry exists and
/// belongs to another user.
struct KeyFilePlace {
  /// The operating system follows at most this many links, too.
  private static let maximumLinkCount = 40

  private let path: String
  /// The directory reached so far, without a slash at its end; empty for the root directory.
  private var directory = ""
  private var linkCount = 0

  private init(_ path: String) { self.path = path }

  /// Throws if anybody else than this process's user and root can put another file in this place.
  ///
  /// - Parameter path: A key file, or the path at which one is to be created.
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
        // The entry does not exist yet, or no longer has a name, as a file behind a descriptor.
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

  /// Returns the names in the target of a symbolic link, starting in the link's directory or in the
  /// root directory.
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

  /// Checks the directory reached so far.
  ///
  /// - Parameter owner: The owner of the entry in it; nil if there is no entry.
  /// - Throws: `replaceableKeyFile`; `badKeyFile` if the directory can't be examined.
  private func checkDirectory(owner: uid_t?) throws {
    let name = directory.isEmpty ? "/" : directory
    var status = stat()
    guard stat(name, &status) == 0 else { throw unreadable(name) }
    // Root may use directories of any owner: it can act as any user, so this is its own decision.
    guard geteuid() == 0 || FileOwner.isTrusted(status.st_uid) else {
      throw replaceable("the owner of \(name)")
    }
    // A group with the same number as the owner is the owner's private group.
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
