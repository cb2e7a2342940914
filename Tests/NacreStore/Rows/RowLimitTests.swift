import NacreStore
import Testing

@Suite struct RowLimitTests {
  @Test func `a server is asked for as many rows as may fit`() {
    var limit = RowLimit(isOnServer: true)
    #expect(limit.rows(atMost: 2_000) == 100)
    limit.note(rowCount: 100, isFull: false)
    #expect(limit.rows(atMost: 2_000) == 400)
    #expect(limit.rows(atMost: 7) == 7)
    // Fewer rows than were asked for are the last, and say nothing about their size.
    limit.note(rowCount: 7, isFull: false)
    #expect(limit.rows(atMost: 2_000) == 400)
    limit.note(rowCount: 9, isFull: true)
    #expect(limit.rows(atMost: 2_000) == 9)
    limit.note(rowCount: 0, isFull: true)
    #expect(limit.rows(atMost: 2_000) == 1)
    limit.note(rowCount: 1, isFull: false)
    #expect(limit.rows(atMost: 2_000) == 4)
    limit.note(rowCount: .max, isFull: false)
    #expect(limit.rows(atMost: 2_000) == 2_000)
  }

  @Test func `a file is asked for all rows of a batch`() {
    var limit = RowLimit(isOnServer: false)
    #expect(limit.rows(atMost: 2_000) == 2_000)
    limit.note(rowCount: 9, isFull: true)
    #expect(limit.rows(atMost: 2_000) == 2_000)
  }
}
