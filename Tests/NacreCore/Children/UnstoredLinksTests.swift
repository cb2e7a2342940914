import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// Links of an object that was never stored.
@Suite struct UnstoredLinksTests {
  @Test func `links of an unstored owner have no elements`() throws {
    let links = Car.create().drivers
    #expect(try links.fetchAll().isEmpty)
    #expect(try links.fetchAll(where: "name = ?", "x").isEmpty)
    #expect(try links.count() == 0)
    #expect(try !links.contains(objectID: UUID()))
  }

  @Test func `async calls on links of an unstored owner find no elements`() async throws {
    let links = Car.create().drivers
    #expect(try await links.fetchAll().isEmpty)
    #expect(try await links.fetchAll(where: "name = ?", "x").isEmpty)
    #expect(try await links.count() == 0)
    #expect(try await !links.contains(objectID: UUID()))
  }
}
