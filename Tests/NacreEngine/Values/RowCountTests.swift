import NacreEngine
import Testing

@Suite struct RowCountTests {
  @Test(
    arguments: [(.min, 0), (-1, 0), (0, 0), (7, 7), (1 << 53, 1 << 53), (.max, 1 << 53)]
      as [(Int64, Int64)]
  )
  func `a number of rows is one that a table can have`(found: Int64, count: Int64) {
    #expect(found.asRowCount == count)
  }
}
