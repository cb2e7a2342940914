@testable import NacreStore
import Testing

@Suite struct SealedColumnsTests {
  @Test func `a column is found in whatever case of its ASCII letters`() {
    var columns = SealedColumns()
    columns.insert("Member", "eMail")
    #expect(columns.contains("MEMBER", "email"))
    #expect(!columns.contains("Member", "mail"))
  }

  @Test func `letters beyond ASCII are told apart by their case as SQLite does`() {
    var columns = SealedColumns()
    columns.insert("Member", "Ä")
    #expect(!columns.contains("Member", "ä"))
    columns.set("Member", "ä", false)
    #expect(columns.contains("Member", "Ä"))
  }

  @Test func `a point in a name does not move the border between table and column`() {
    var columns = SealedColumns()
    columns.insert("a.b", "c")
    #expect(!columns.contains("a", "b.c"))
  }
}
