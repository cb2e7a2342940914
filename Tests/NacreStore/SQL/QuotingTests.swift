import Testing
import TestSupport

@testable import NacreCore

@Suite struct QuotingTests {
  /// With an accent behind it a quote is another character, and still a quote to SQLite.
  private static let accent = "\u{301}"

  @Test(arguments: ["a\"b", "a\"\(accent)b", "\"\(accent)", "a\"\"\(accent)\"", "\r\n\"\(accent)"])
  func `a name is what SQLite reads back, whatever follows its quotes`(name: String) throws {
    let test = try TestStore()
    let columns = try test.store.write { database in
      try database.execute("CREATE TABLE t (\(SQLText.name(name)) TEXT)")
      return try database.query("SELECT name FROM pragma_table_info('t')")
    }
    #expect(columns == [[.text(name)]])
  }

  @Test(arguments: ["a'b", "a'\(accent)b", "'\(accent)", "a''\(accent)'", "\r\n'\(accent)"])
  func `a literal is what SQLite reads back, whatever follows its quotes`(text: String) throws {
    let test = try TestStore()
    let found = try test.store.read { try $0.query("SELECT \(SQLText.literal(.text(text)))") }
    #expect(found == [[.text(text)]])
  }
}
