#if PostgreSQL
import Foundation

/// A disk of a few megabytes that a server of the tests can write; only root can mount one.
struct SmallDisk {
  let path: String

  init(megabytes: Int = 4) throws {
    path = "/tmp/nacre-disk-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let url = ProcessInfo.processInfo.environment["NACRE_POSTGRES"] ?? ""
    let directory = String(url.split(separator: "host=").last ?? "")
    let owner = try FileManager.default.attributesOfItem(atPath: directory)
    let user = owner[.ownerAccountID] as? NSNumber ?? 0
    try Self.run(
      "mount",
      ["-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700,uid=\(user)", "tmpfs", path]
    )
  }

  /// Removes the disk, with all that is on it.
  func unmount() {
    try? Self.run("umount", ["-l", path])
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Whether this machine lets the tests mount disks.
  static var canMount: Bool {
    guard geteuid() == 0, let disk = try? SmallDisk() else { return false }
    disk.unmount()
    return true
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    child.arguments = [program] + arguments
    child.standardError = FileHandle.nullDevice
    try child.run()
    child.waitUntilExit()
    if child.terminationStatus != 0 { throw POSIXError(.EPERM) }
  }
}
#endif
