import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Values and graphs of a size that breaks what copies or recurses.
@Suite(.serialized) struct SizeTests {
  private func chain(_ count: Int) -> Node {
    let head = Node.create()
    var last = head
    for label in 1..<count {
      let node = Node.create()
      node.label = label
      last.next = node
      last = node
    }
    return head
  }

  private func length(_ head: Node) -> Int {
    var count = 0
    var node: Node? = head
    while let current = node {
      if current.label != count { return -1 }
      count += 1
      node = current.next
    }
    return count
  }

  @Test func `100 MB of data are stored plain and sealed`() throws {
    let scene = try Scene()
    let store = try scene.open()
    var data = Data(count: 100_000_000)
    for index in stride(from: 0, to: data.count, by: 4099) {
      data[index] = UInt8(truncatingIfNeeded: index)
    }
    let (sample, vault) = (Sample.create(), Vault.create())
    sample.data = data
    vault.data = data
    try scene.save(sample, in: store)
    try scene.save(vault, in: store)
    try store.read { (_) throws in
      #expect(try Sample.fetchOne()?.data == data)
      #expect(try Vault.fetchOne()?.data == data)
    }
  }

  @Test func `a chain of 100,000 objects is saved, fetched by its head, deleted and released`()
    throws
  {
    // A server is asked once for each level.
    let count = TestPlace.isOnServer ? 1_000 : 100_000
    let scene = try Scene()
    let store = try scene.open()
    let clock = ContinuousClock()
    var times: [String: Duration] = [:]
    var head: Node? = chain(count)
    let id = try #require(head?.objectID)
    times["save"] = try clock.measure { try scene.save(#require(head), in: store) }
    times["release"] = clock.measure { head = nil }
    #expect(try store.read { _ in try Node.count() } == count)
    times["fetch"] = try clock.measure { head = try store.read { _ in try Node.fetch(id: id) } }
    #expect(try length(#require(head)) == count)
    try head?.save()
    times["delete"] = try clock.measure { try head?.delete(cascade: true) }
    #expect(try store.read { _ in try Node.count() } == 0)
    #expect(head?.isStored == false && head?.next?.isStored == false)
    times["release fetched"] = clock.measure { head = nil }
    if ProcessInfo.processInfo.environment["NACRE_TEST_TIMES"] != nil { print(times) }
  }

  @Test func `a chain of 100,000 is put back to unsaved by a rollback`() throws {
    struct Stop: Error {}
    let scene = try Scene()
    let store = try scene.open()
    let head = chain(100_000)
    #expect(throws: Stop.self) {
      try store.write { _ in
        try head.save()
        throw Stop()
      }
    }
    var node: Node? = head
    while let current = node {
      if current.isStored || !current.hasChanges {
        Issue.record("node \(current.label) passes for stored")
        break
      }
      node = current.next
    }
    #expect(try store.read { _ in try Node.count() } == 0)
  }

  @Test func `a cycle of three is saved, fetched, changed and deleted`() throws {
    let scene = try Scene()
    let store = try scene.open()
    let nodes = (0..<3).map { _ in Node.create() }
    for index in 0..<3 {
      nodes[index].label = index
      nodes[index].next = nodes[(index + 1) % 3]
    }
    try scene.save(nodes[0], in: store)
    try store.write { _ in
      let first = try #require(try Node.fetch(id: nodes[1].objectID))
      #expect(first.next?.next?.next === first)
      #expect(!first.hasChanges && first.next?.hasChanges == false)
      first.next?.label = 7
      try first.save()
      // Without this the three would keep each other alive.
      first.next = nil
    }
    #expect(try store.read { _ in try Node.count(where: "label = 7") } == 1)
    #expect(try store.read { _ in try nodes[0].deletionPlan().count } == 3)
    try nodes[0].delete(cascade: true)
    #expect(try store.read { _ in try Node.count() } == 0)
    #expect(nodes.allSatisfy { !$0.isStored })
    nodes[0].next = nil
  }
}
