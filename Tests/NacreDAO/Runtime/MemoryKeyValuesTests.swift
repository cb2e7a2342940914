import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import TestSupport
import Testing

@testable import NacreDAO

@Suite struct MemoryKeyValuesTests {
  @Test func `values by key are kept, sealed and rotated in a store in memory`() throws {
    let store = try Store.inMemory(options: .patient)
    let values = KeyValues(store)
    try values.set(14, forKey: "size", business: "look")
    try values.set("text", forKey: "draft")
    #expect(try values.get("size", business: "look", default: 12) == 14)
    #expect(try store.rotate().outcome == .finished)
    #expect(try values.get("draft", as: String.self) == "text")
    try values.removeItems(prefix: "dra")
    #expect(try values.keys() == ["size"])
    #expect(try store.verify().isSound)
  }
}
