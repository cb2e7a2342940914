import Testing

/// TESTING.md shows what the files of this folder run.
@Suite struct KitTextTests {
  @Test
  func `every Swift block of the page is a region of the kit, and every region is shown once`()
    throws
  {
    let regions = try TourText.regions(in: "Testing")
    let blocks = try TourText.blocks(of: ["TESTING.md"])
    #expect(blocks.count > 8)
    for block in blocks {
      let isRegion = regions.contains { $0.text == block.text }
      #expect(isRegion, "\(block.place) is no region of Tests/Nacre/Testing")
    }
    for region in regions {
      let count = blocks.count { $0.text == region.text }
      #expect(count == 1, "\(region.place) is shown \(count) times")
    }
  }
}
