import Foundation
import TestSupport
import Testing

@Suite struct MessagesTests {
  private static let first = """
    upgrade    chat_garden from 1.0 to 1.2
    chat_garden: 3 unread
    upgrade    chat_reading from 1.0 to 1.2
    chat_reading: 1 unread
    stored     2 new, 1 changed
    all        [1, 2, 3, 4, 5]
    found      2 bob: Bring the spade!
    found      3 cleo: nothing
    found      4 bob: Seeds arrived
    read       3
    unread     1 text, 5 image
    created    chat_garden
    stored     1 new, 0 changed
    bob        1 unread

    """

  private func check(_ output: String, is expected: String) {
    let lines = output.split(separator: "\n")
    #expect(lines.dropLast().joined(separator: "\n") + "\n" == expected)
    #expect(lines.last?.hasPrefix("nobody     There is no current user") == true)
  }

  @Test func `conversations of the first release are upgraded and gone on with by two users`()
    throws
  {
    let directory = try TemporaryDirectory()
    let first = try BuiltProduct.messages.run([directory.path])
    #expect(first.complaint == "" && first.status == 0)
    check(first.output, is: Self.first)
    let second = try BuiltProduct.messages.run([directory.path])
    #expect(second.status == 0)
    check(
      second.output,
      is: """
        chat_garden: 2 unread
        chat_reading: 1 unread
        stored     0 new, 3 changed
        all        [1, 2, 3, 4, 5]
        found      2 bob: Bring the spade!
        found      3 cleo: nothing
        found      4 bob: Seeds arrived
        read       3
        unread     1 text, 5 image
        stored     0 new, 1 changed
        bob        1 unread

        """
    )
  }

  @Test func `the files hold no message in plain text`() throws {
    let directory = try TemporaryDirectory()
    #expect(try BuiltProduct.messages.run([directory.path]).status == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(files.contains("user-ada.db") && files.contains("user-bob.db"))
    for file in files {
      let bytes = try directory.bytes(file)
      for text in ["Bring the spade", "Seeds arrived", "Hello", "Chapter four"] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(file)")
      }
    }
    #expect(try directory.bytes("user-ada.db").range(of: Data("cleo".utf8)) != nil)
  }

  @Test func `the first release still writes what is upgraded`() throws {
    let directory = try TemporaryDirectory()
    let written = try BuiltProduct.messages.run(["--write-version-1", directory.path])
    #expect(written.status == 0 && written.output == "" && written.complaint == "")
    let upgraded = try BuiltProduct.messages.run([directory.path])
    #expect(upgraded.status == 0)
    check(upgraded.output, is: Self.first)
  }

  @Test func `the command verifies and rotates what the conversations hold`() throws {
    let directory = try TemporaryDirectory()
    #expect(try BuiltProduct.messages.run([directory.path]).status == 0)
    func nacre(_ command: String) throws -> BuiltProduct.Outcome {
      try BuiltProduct.nacre.run(
        [command, directory.file("user-ada.db"), "--passphrase-fd", "0"],
        input: "the passphrase of ada\n"
      )
    }
    let verified = try nacre("verify")
    #expect(verified.status == 0, "\(verified.complaint)")
    // One in the garden has no content.
    #expect(verified.output.contains(/dao:chat_garden\.content +4 +1 +0\n/), "\(verified.output)")
    #expect(verified.output.contains(/dao:chat_reading\.content +1 +0 +0\n/))
    let rotated = try nacre("rotate")
    #expect(rotated.status == 0, "\(rotated.complaint)")
    let again = try BuiltProduct.messages.run([directory.path])
    #expect(again.output.contains("found      4 bob: Seeds arrived"), "\(again.complaint)")
  }

  @Test func `a directory that can't be made ends with an error and not with a trap`() throws {
    let directory = try TemporaryDirectory()
    try Data().write(to: URL(fileURLWithPath: directory.file("file")))
    let outcome = try BuiltProduct.messages.run([directory.file("file")])
    #expect(outcome.status == 1)
    #expect(outcome.complaint.hasPrefix("Messages: "))
    #expect(try BuiltProduct.messages.run([]).status == 64)
    #expect(try BuiltProduct.messages.run(["--help"]).status == 64)
  }
}
