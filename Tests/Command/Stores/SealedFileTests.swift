import Foundation
import NacreCore
import NacreOpen
import TestSupport
import Testing

/// Sealed files, as the command makes them and looks after them.
@Suite struct SealedFileTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("sealed.db") }
  private var first: [String] { ["--key-file", directory.file("first.key")] }
  private var second: [String] { ["--key-file", directory.file("second.key")] }

  init() throws {
    directory = try TemporaryDirectory()
    let made = try nacre(["init", path, "--seal-file"])
    #expect(made.status == 0, "\(made.complaint)")
  }

  /// Runs a command, with the first key file where no other secret is given.
  private func nacre(
    _ words: [String],
    unlock: [String]? = nil,
    input: String = ""
  ) throws -> BuiltProduct.Outcome {
    try BuiltProduct.nacre.run(words + (unlock ?? first), input: input)
  }

  /// What an application does: opens the store, and saves accounts.
  private func write(_ count: Int) throws -> Store {
    let store = try Store.open(path, unlock: .keyFile(directory.file("first.key")))
    try Account.save(count, in: store)
    return store
  }

  // MARK: Making

  @Test func `a sealed file is made for its owner alone, and nothing of it lies open`() throws {
    let other = directory.file("other.db")
    let made = try nacre(["init", other, "--seal-file"], unlock: second)
    #expect(made.status == 0)
    #expect(made.complaint == "")
    #expect(made.output.contains(/Made .*other\.db, a sealed file, store [0-9a-f]{32}\.\n/))
    #expect(made.output.contains(/Made the key file .*second\.key\./))
    let attributes = try FileManager.default.attributesOfItem(atPath: other)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    try write(20).close()
    let bytes = try directory.bytes("sealed.db")
    for text in ["holder-in-a-plain-column", "Account", "nacre_store", "SQLite format 3"] {
      #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
    }
  }

  @Test func `a sealed file is never made without a secret, nor in place of another file`() throws {
    let other = directory.file("other.db")
    let before = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    let locked = try nacre(["init", other, "--seal-file"], unlock: [])
    #expect(locked.status == 64)
    #expect(locked.complainsInOneLine)
    #expect(locked.complaint.contains("--key-file"))
    let noKey = try nacre(
      ["init", other, "--seal-file"],
      unlock: ["--key-file", directory.file("none/new.key")]
    )
    #expect(noKey.status == 21)
    #expect(try nacre(["init", directory.file("typo/new.db"), "--seal-file"]).status == 10)
    let bytes = try directory.bytes("sealed.db")
    #expect(try nacre(["init", path, "--seal-file"]).status == 60)
    #expect(try directory.bytes("sealed.db") == bytes)
    let after = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(after == before)
  }

  @Test func `a sealed file that was not made to its end says so, and what to do`() throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 65_536)
    try handle.close()
    for words in [["status"], ["inspect"], ["rotate"], ["verify"]] {
      let outcome = try nacre([words[0], path])
      #expect(outcome.status == 83, "\(outcome.everything)")
      #expect(outcome.complainsInOneLine)
      #expect(outcome.complaint.contains("'nacre init'"))
    }
    let again = try nacre(["init", path, "--seal-file"])
    #expect(again.status == 60)
    #expect(again.complaint.contains("'nacre status' says whether it was made to its end"))
    try FileManager.default.removeItem(atPath: path)
    #expect(try nacre(["init", path, "--seal-file"]).status == 0)
    try write(3).close()
    #expect(try nacre(["status", path]).status == 0)
  }

  // MARK: Looking

  @Test func `status, inspect and the first event say what a store's file seals`() throws {
    try write(3).close()
    for verb in ["status", "inspect"] {
      let outcome = try nacre([verb, path])
      #expect(outcome.status == 0, "\(outcome.complaint)")
      #expect(outcome.output.contains(/Format +2\nSeals +file\n/))
    }
    let events = try nacre(["rotate", path, "--dry-run", "--json"]).output
    #expect(events.contains(#""seals":"file""#))
    let bank = try Bank()
    #expect(try bank.nacre("status").output.contains(/Format +1\nSeals +properties\n/))
    let others = try bank.nacre("rotate", "--dry-run", "--json").output
    #expect(others.contains(#""seals":"properties""#))
  }

  @Test(arguments: [
    "anchor", "backup", "catalog", "export", "import", "inspect", "key list", "rotate",
    "slot list", "slot remove", "status", "verify", "verify --list-quarantined",
  ])
  func `without a secret a command on a sealed file says how to give one`(command: String) throws {
    var words = command.split(separator: " ").map(String.init)
    words.insert(path, at: ["key", "slot"].contains(words[0]) ? 2 : 1)
    if command == "backup" { words.append(directory.file("copy.db")) }
    if command == "slot remove" { words.append("1") }
    let before = try directory.bytes("sealed.db")
    let outcome = try nacre(words, unlock: [])
    #expect(outcome.status == 22)
    #expect(outcome.complainsInOneLine)
    #expect(outcome.complaint.contains("--key-file"), "\(outcome.complaint)")
    #expect(outcome.output == "")
    #expect(try directory.bytes("sealed.db") == before)
    let wrong = try BuiltProduct.nacre.run(
      words + ["--key-env", "KEY"],
      environment: ["KEY": Bank.keyHex]
    )
    #expect(wrong.status == 20, "\(wrong.complaint)")
    #expect(!FileManager.default.fileExists(atPath: directory.file("copy.db")))
  }

  // MARK: Changing

  @Test func `slots, keys and values of a sealed file are looked after with its secret`() throws {
    try write(20).close()
    let add = ["slot", "add", path, "--new-key-file", second[1]]
    #expect(try nacre(add).status == 0)
    let again = try nacre(add)
    #expect(again.status == 21)
    #expect(again.complaint.contains("opens slot 2 already"))
    let list = try nacre(["slot", "list", path], unlock: second)
    #expect(list.output == "1  secret\n2  secret  * opened by this secret\n")
    #expect(try nacre(["slot", "remove", path, "1"], unlock: second).status == 0)
    #expect(try nacre(["status", path]).status == 20)
    #expect(try nacre(["rotate", path], unlock: second).status == 0)
    let keys = try nacre(["key", "list", path], unlock: second)
    #expect(keys.status == 0)
    #expect(keys.output.contains(/field +xaes-256-gcm +primary .* 20\b/), "\(keys.output)")
    let verified = try nacre(["verify", path], unlock: second)
    #expect(verified.status == 0, "\(verified.complaint)")
    #expect(verified.output.contains(/Account\.iban +20 +0 +0\n/))
    let checked = try nacre(["check", path], unlock: second)
    #expect(checked.status == 0)
    #expect(checked.output.contains("Nothing is wrong with the file.\nNot verified here: "))
  }

  @Test func `a sealed file is backed up, exported, and imported into another one`() throws {
    try write(20).close()
    let (copy, other) = (directory.file("copy.db"), directory.file("other.db"))
    #expect(try nacre(["backup", path, copy]).status == 0)
    #expect(try nacre(["status", copy]).output.contains(/Seals +file\n/))
    #expect(try nacre(["verify", copy]).status == 0)
    let lines = try nacre(["export", path, "--reveal"]).output
    #expect(try nacre(["init", other, "--seal-file"], unlock: second).status == 0)
    let imported = try nacre(["import", other], unlock: second, input: lines)
    #expect(imported.status == 0, "\(imported.complaint)")
    #expect(imported.output.hasSuffix("\nImported 20 objects.\n  Account  20 objects\n"))
    #expect(try nacre(["verify", other], unlock: second).status == 0)
    let opened = try nacre(["inspect", other, "Account", "--reveal"], unlock: second)
    for number in 0..<20 { #expect(opened.output.contains("\"DE-\(number)\"")) }
  }

  @Test func `the pages of a sealed file get a new key, and the plan says so before`() throws {
    let store = try write(200)
    try store.close()
    let plan = try nacre(["rotate", path, "--purpose", "file", "--dry-run"])
    #expect(plan.output.contains(/[0-9]+ pages would be sealed anew/))
    let rotated = try nacre(["rotate", path, "--purpose", "file"])
    #expect(rotated.status == 0, "\(rotated.complaint)")
    #expect(rotated.output.contains(/Sealed anew +[0-9]+ pages/))
    #expect(rotated.output.contains(/Disabled +[0-9a-f]{8}/))
    let events = try nacre(["rotate", path, "--purpose", "file", "--json"])
    #expect(events.output.contains("\"unit\":\"pages\""))
    #expect(events.output.contains("\"badPages\":[]"))
    #expect(try nacre(["verify", path]).status == 0)
    #expect(
      try nacre(["rotate", path, "--purpose", "file", "--suite", "aes-256-gcm"]).status == 64
    )
    #expect(try nacre(["key", "add", path, "--purpose", "file"]).status == 64)
  }

  @Test func `a sealed file gets a new store key, and the checker reads it`() throws {
    try write(20).close()
    #expect(
      try nacre(["slot", "add", path, "--new-key-file", directory.file("second.key")]).status == 0
    )
    let outcome = try nacre(["rewrap", path, "--drop-slots"], unlock: second)
    #expect(outcome.status == 0, "\(outcome.complaint)")
    #expect(try nacre(["status", path]).status == 20)
    #expect(try nacre(["verify", path], unlock: second).status == 0)
    let checked = try checked(unlock: second)
    #expect(checked.status == 0, "\(checked.everything)")
  }

  // MARK: What is wrong, and what others read

  @Test func `verify and check name every page that somebody has changed`() throws {
    try write(500).close()
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let count = (try handle.seekToEnd() - 65_536) / 4096
    // The last pages hold rows and their index.
    for page in count - 2...count {
      try handle.seek(toOffset: 65_536 + (page - 1) * 4096 + 10)
      try handle.write(contentsOf: Data(count: 4))
    }
    try handle.close()
    let outcome = try nacre(["verify", path])
    #expect(outcome.status == 50)
    #expect(outcome.lastComplaint.contains("3 bad pages"), "\(outcome.complaint)")
    let checked = try nacre(["check", path])
    #expect(checked.status == 50)
    for page in count - 2...count {
      let line = "page \(page) of the file was changed or moved\n"
      #expect(outcome.output.contains("\n" + line), "\(outcome.output)")
      #expect(checked.output.contains("badPage: " + line), "\(checked.output)")
    }
    #expect(outcome.output.contains("badPage at Account: not all could be read: "))
    let events = try nacre(["verify", path, "--json"])
    #expect(events.status == 50)
    #expect(events.output.contains("\"badPages\":3,"))
    #expect(events.output.contains("{\"fault\":\"changed\",\"number\":\(count)}"))
    #expect(!(outcome.everything + checked.everything + events.everything).contains("DE-"))
  }

  @Test func `without a secret check looks at the framing of a sealed file`() throws {
    try write(20).close()
    let outcome = try nacre(["check", path], unlock: [])
    #expect(outcome.status == 0, "\(outcome.complaint)")
    #expect(outcome.output.contains(/Header +both copies are whole and alike, number 1\n/))
    #expect(outcome.output.contains(/Slots +1 secret\nPages +\d+ of 4096 bytes\nLog +none\n/))
    #expect(outcome.output.contains(/File keys\n +[0-9a-f]{8}  primary  +\d+ pages  0 frames\n/))
    #expect(outcome.output.contains("Nothing is wrong with the file.\nNot verified without"))
    let wrong = try nacre(["check", path], unlock: ["--key-file", directory.file("none.key")])
    #expect(wrong.status == 21)
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.seek(toOffset: 65_536 + 3 * 4_096 - 16)
    try handle.write(contentsOf: [1, 2, 3, 4])
    let changed = try nacre(["check", path], unlock: [])
    #expect(changed.status == 50)
    #expect(changed.output.contains("page 3 of the file names a key that the header lacks"))
    // A command that can't open the store names what it is, too.
    try handle.seek(toOffset: 65_536 + 100)
    try handle.write(contentsOf: [1, 2, 3, 4])
    try handle.close()
    for verb in ["check", "verify"] {
      let damaged = try nacre([verb, path])
      #expect(damaged.status == 79)
      #expect(damaged.complaint.contains("page 1 of the file was changed or moved\n"))
      #expect(damaged.complaint.contains("page 3 of the file names a key"))
    }
  }

  @Test func `a header is saved, and put back when the store's own is lost`() throws {
    try write(20).close()
    let saved = directory.file("sealed.header")
    let made = try nacre(["header", "export", path, saved], unlock: [])
    #expect(made.status == 0, "\(made.complaint)")
    #expect(made.output.contains(/Saved the header of store [0-9a-f]{32}, number 1, in .*\n/))
    #expect(made.output.hasSuffix("It was not verified, for no secret was given.\n"))
    #expect(try nacre(["header", "export", path, saved]).status == 60)
    #expect(
      try nacre(["header", "import", path, saved]).output.contains(
        ", already; nothing was changed."
      )
    )
    let bank = try Bank()
    #expect(try nacre(["header", "export", bank.path, saved + "2"], unlock: []).status == 75)
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.write(contentsOf: Data(count: 65_536))
    #expect(try nacre(["status", path]).status == 11)
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: Array(directory.bytes("sealed.header").prefix(16)))
    try handle.close()
    let lost = try nacre(["status", path])
    #expect(lost.status == 76)
    #expect(lost.complaint.contains("'nacre header import'"))
    let back = try nacre(["header", "import", path, saved])
    #expect(back.status == 0, "\(back.complaint)")
    #expect(
      back.output.contains(/Put the header of store [0-9a-f]{32}, number 1, into .*read it back/)
    )
    #expect(try nacre(["verify", path]).status == 0)
    // The store has another slot by now, of which the header knows nothing.
    #expect(try nacre(["slot", "add", path, "--new-key-file", second[1]]).status == 0)
    let older = try nacre(["header", "import", path, saved])
    #expect(older.status == 81)
    #expect(older.complainsInOneLine)
    #expect(try nacre(["header", "import", path, saved, "--replace-newer"]).status == 81)
    #expect(
      try nacre(["header", "import", path, saved, "--replace-newer"], unlock: []).status == 64
    )
    let store = try write(1)
    let newer = directory.file("newer.header")
    #expect(try nacre(["header", "export", path, newer]).status == 0)
    // By another process: the store would lose its locks if this one closed the file a second time.
    let damage = ["/bin/dd", "if=/dev/zero", "of=" + path, "bs=100", "count=1", "conv=notrunc"]
    #expect(try BuiltProduct.run(damage, environment: [:]).status == 0)
    #expect(try nacre(["header", "import", path, newer]).status == 82)
    try store.close()
    #expect(try nacre(["header", "import", path, newer]).status == 0)
  }

  @Test func `the independent checker reads a sealed file, also while a log is there`() throws {
    let store = try write(20)
    let logged = try checked()
    #expect(logged.status == 0, "\(logged.everything)")
    #expect(logged.output.contains(/\nlog: [1-9]\d* committed frames/), "\(logged.output)")
    #expect(logged.output.contains("\nAccount: 20 rows, 2 sealed properties\n"))
    try store.close()
    #expect(try nacre(["rotate", path]).status == 0)
    let closed = try checked()
    #expect(closed.status == 0, "\(closed.everything)")
    #expect(closed.output.contains("\nAccount: 20 rows, 2 sealed properties\n"))
    #expect(closed.output.hasSuffix("\nok: every sealed value opens\n"))
  }

  /// Runs the independent checker on the store, by the Python that script/python finds for it.
  private func checked(unlock: [String]? = nil) throws -> BuiltProduct.Outcome {
    let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let environment = ProcessInfo.processInfo.environment
    let script = root.appendingPathComponent("script/python").path
    let found = try BuiltProduct.run(["/bin/bash", script], environment: environment)
    let python = found.output.trimmingCharacters(in: .whitespacesAndNewlines)
    try #require(found.status == 0 && !python.isEmpty, "\(found.complaint)")
    let checker = root.appendingPathComponent("Vectors/check.py").path
    let words = [python, checker, "store", path] + (unlock ?? first)
    return try BuiltProduct.run(words, environment: environment)
  }
}
