#if PostgreSQL
import Foundation
import NacreCore
import NacreDAO
import Testing
@testable import TestSupport

/// Values by their keys, in a store on a server.
@Suite struct KeyValueTests {
  @Test func `a key-value store keeps its values on a server`() throws {
    let opened = try TestEngine.postgres.makeStore()
    let former = KeyValues(opened.store)
    try former.set("a\0b", forKey: "text", business: "x")
    try former.set([1, 2], forKey: "list", business: "x")
    try former.set(5, forKey: "Löwe", isPurgeable: true)
    try former.set(6, forKey: "l%1")
    try former.set(7, forKey: "l%1")
    try opened.reopen()
    let values = KeyValues(opened.store)
    #expect(try values.get("text", business: "x", as: String.self) == "a\0b")
    #expect(try values.get("list", business: "x") == [1, 2])
    #expect(try values.get("l%1", as: Int.self) == 7)
    #expect(try values.contains("Löwe"))
    #expect(try values.keys() == ["Löwe", "l%1", "list", "text"])
    #expect(try values.keys(ofBusiness: "x") == ["list", "text"])
    try values.removeItems(like: "%ST", business: "x")
    try values.removeItems(prefix: "l%")
    #expect(try values.keys() == ["Löwe", "text"])
    try values.removePurgeableItems()
    #expect(try values.keys() == ["text"])
    let error = #expect(throws: NacreError.self) { try values.set(1, forKey: "\0") }
    #expect(error?.code == .valueMismatch)
    try values.reset()
    #expect(try values.keys().isEmpty)
  }
}
#endif
