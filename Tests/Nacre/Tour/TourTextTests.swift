import Testing

/// README.md, TOUR.md, ADOPT.md and COMING-FROM.md show what the tour runs.
@Suite struct TourTextTests {
  @Test func `every Swift block of the pages is a region of the tour`() throws {
    let regions = Set(try TourText.regions().map(\.text))
    let blocks = try TourText.blocks()
    #expect(blocks.count > 10)
    // script/outside builds the manifest.
    for block in blocks where !block.text.hasPrefix("// swift-tools-version") {
      #expect(regions.contains(block.text), "\(block.place) is no region of Tests/Nacre/Tour")
    }
  }

  @Test func `every region of the tour is shown once`() throws {
    let blocks = try TourText.blocks().map(\.text)
    for region in try TourText.regions() {
      let count = blocks.count { $0 == region.text }
      #expect(count == 1, "\(region.place) is shown \(count) times")
    }
  }
}
