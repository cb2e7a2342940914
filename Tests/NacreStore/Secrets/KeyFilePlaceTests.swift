import Foundation
import NacreCrypto
@testable import NacreStore
@testable import TestSupport
import Testing

@testable import NacreCore

/// The owners and the places of key files that are read.
@Suite struct KeyFilePlaceTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Makes a directory, or a key file, with exactly these rights.
  @discardableResult
  private func make(_ name: String, _ mode: mode_t, isFile: Bool = false) throws -> String {
    let path = directory.file(name)
    if isFile {
      try Data("NACRE-KEY-1 \(Scene.keyHex)\n".utf8).write(to: URL(fileURLWithPath: path))
    } else {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try #require(chmod(path, mode) == 0)
    return path
  }

  private func key(_ name: String) throws -> String { try make(name, 0o600, isFile: true) }

  private func link(_ name: String, to target: String) throws -> String {
    let path = directory.file(name)
    try #require(symlink(target, path) == 0)
    return path
  }

  private func expectRead(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(throws: Never.self, sourceLocation: sourceLocation) { try KeyFile.read(from: path) }
  }

  private func expectReplaceable(
    _ path: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectError(.replaceableKeyFile, sourceLocation: sourceLocation) {
      _ = try KeyFile.read(from: path)
    }
  }

  @Test(arguments: [0o777, 0o757, 0o703, 0o2702])
  func `a key file in a directory that others may write is refused`(mode: mode_t) throws {
    try make("open", mode)
    try make("open/below", 0o700)
    expectReplaceable(try key("open/a.key"))
    expectReplaceable(try key("open/below/b.key"))
    try make("open", 0o700)
    expectRead(directory.file("open/a.key"))
  }

  @Test(arguments: [0o1777, 0o755, 0o711, 0o700])
  func `a key file in a directory with the sticky bit, or of the user's own, is read`(mode: mode_t)
    throws
  {
    try make("shared", mode)
    expectRead(try key("shared/a.key"))
    try make("shared/own", 0o700)
    expectRead(try key("shared/own/b.key"))
  }

  @Test func `a path may be relative and go up`() throws {
    try make("a", 0o700)
    try make("a/b", 0o700)
    let path = try key("a/c.key")
    let up = String(repeating: "../", count: 40)
    for spelling in [
      directory.file("a/b/../c.key"), directory.file("./a//b/.././c.key"), up + path.dropFirst(),
    ] {
      expectRead(spelling)
    }
    try make("a", 0o777)
    expectReplaceable(directory.file("a/b/../c.key"))
    expectReplaceable(up + path.dropFirst())
  }

  @Test func `symbolic links are followed, and each directory on the way counts`() throws {
    for name in ["good", "links"] { try make(name, 0o700) }
    try make("open", 0o777)
    let path = try key("good/a.key")
    expectRead(try link("links/absolute", to: path))
    expectRead(try link("links/relative", to: "../good/a.key"))
    expectRead(try link("links/twice", to: "relative"))
    expectRead(try link("directory", to: "good") + "/a.key")
    // The link can be led elsewhere, or what it leads to replaced.
    expectReplaceable(try link("open/link", to: path))
    expectReplaceable(try link("links/thither", to: try key("open/b.key")))
    expectReplaceable(try link("links/through", to: directory.file("open/link")))
    let loop = try link("links/loop", to: "loop")
    expectError(.badKeyFile) { _ = try KeyFile.read(from: loop) }
    expectError(.badKeyFile) { try KeyFilePlace.check(loop) }
  }

  @Test func `a secret as Kubernetes mounts it is read`() throws {
    try make("secret", 0o1777)
    try make("secret/..2030_01_01", 0o755)
    _ = try key("secret/..2030_01_01/key")
    _ = try link("secret/..data", to: "..2030_01_01")
    expectRead(try link("secret/key", to: "..data/key"))
  }

  @Test func `no key file is made where others may write`() throws {
    let open = try make("open", 0o777) + "/new.key"
    let scene = try Scene()
    expectError(.replaceableKeyFile) {
      _ = try scene.open(.keyFile(open, createIfMissing: true))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("open")).isEmpty)
    let shared = try make("shared", 0o1777) + "/new.key"
    try scene.open(.keyFile(shared, createIfMissing: true)).close()
  }

  // MARK: Of other users, which only root can make

  private static let isRoot = geteuid() == 0

  @Test(.enabled(if: isRoot))
  func `a group that is not the owner's own counts among the others`() throws {
    let open = try make("group", 0o770)
    let path = try key("group/a.key")
    expectRead(path)
    try #require(chown(open, 0, 4711) == 0)
    expectReplaceable(path)
    try make("group", 0o750)
    expectRead(path)
  }

  @Test(.enabled(if: isRoot))
  func `in a directory with the sticky bit root reads only key files of its own`() throws {
    try make("shared", 0o1777)
    try make("shared/theirs", 0o755)
    let file = try key("shared/a.key")
    let below = try key("shared/theirs/b.key")
    try #require(chown(file, 4711, 4711) == 0)
    try #require(chown(directory.file("shared/theirs"), 4711, 4711) == 0)
    expectReplaceable(file)
    expectReplaceable(below)
    // Elsewhere root reads what is another's, as under sudo.
    try make("shared", 0o755)
    expectRead(file)
    expectRead(below)
  }

  #if os(Linux)
  /// Runs as another user, in a process of its own.
  private static func asNobody(_ path: String, _ code: NacreError.Code?) throws {
    struct Wrong: Error {}
    guard seteuid(65_533) == 0 else { throw Wrong() }
    do {
      _ = try KeyFile.read(from: path)
      guard code == nil else { throw Wrong() }
    } catch let error as NacreError {
      guard error.code == code else { throw error }
    }
  }

  @Test(.enabled(if: isRoot))
  func `a process may read root's key file, as containers get their secrets`() async throws {
    // The process keeps root's group.
    for mode: mode_t in [0o444, 0o644, 0o440] {
      let path = try make("root.key", mode, isFile: true)
      await #expect(processExitsWith: .success) { [path = path as String] in
        try KeyFilePlaceTests.asNobody(path, nil)
      }
    }
    for mode: mode_t in [0o664, 0o646] {
      let path = try make("root.key", mode, isFile: true)
      await #expect(processExitsWith: .success) { [path = path as String] in
        try KeyFilePlaceTests.asNobody(path, .badKeyFile)
      }
    }
  }

  @Test(.enabled(if: isRoot))
  func `a key file of another user, or in their directory, is refused`() async throws {
    let theirs = try make("their.key", 0o644, isFile: true)
    try #require(chown(theirs, 4711, 4711) == 0)
    let open = try make("theirs", 0o755)
    try #require(chown(open, 4711, 4711) == 0)
    let own = try key("theirs/own.key")
    try #require(chown(own, 65_533, 65_533) == 0)
    for path in [theirs, own] {
      await #expect(processExitsWith: .success) { [path = path as String] in
        try KeyFilePlaceTests.asNobody(path, .replaceableKeyFile)
      }
    }
    try #require(chown(open, 65_533, 65_533) == 0)
    await #expect(processExitsWith: .success) { [path = own as String] in
      try KeyFilePlaceTests.asNobody(path, nil)
    }
  }

  /// Whether no user is hidden, as they are in a sandbox, where 65534 may stand for root.
  private static let seesAllUsers =
    FileHandle(forReadingAtPath: "/proc/self/uid_map").flatMap { try? $0.readToEnd() }
    .map { String(decoding: $0, as: UTF8.self).contains("4294967295") } ?? false

  @Test(.enabled(if: isRoot && seesAllUsers))
  func `the user nobody is another user where root is seen as itself`() async throws {
    let theirs = try make("nobody.key", 0o644, isFile: true)
    try #require(chown(theirs, 65_534, 65_534) == 0)
    await #expect(processExitsWith: .success) { [path = theirs as String] in
      try KeyFilePlaceTests.asNobody(path, .replaceableKeyFile)
    }
  }
  #endif
}
