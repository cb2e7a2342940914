import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Pages of links that know how many elements there are.
@Suite struct LinksPageTests {
  private let test: TestStore
  private let car = Car.create()

  init() throws {
    test = try TestStore()
    for number in 0..<25 { car.drivers.add(Self.person("p\(10 + number)")) }
    // Somebody whom no page of this car may count.
    let other = Car.create()
    other.drivers.add(Self.person("other"))
    try test.store.save([car, other])
  }

  private static func person(_ code: String) -> Person {
    let person = Person.create()
    person.code = code
    return person
  }

  private func codes(_ page: Page<Person>) -> [String] { page.items.map(\.code) }

  @Test func `a page of links knows how many there are`() throws {
    let first = try car.drivers.page(1, size: 10, startingAt: 1, orderBy: "code")
    #expect(codes(first) == (10..<20).map { "p\($0)" })
    #expect(first.totalItems == 25 && first.totalPages == 3)
    #expect(first.hasNext && !first.hasPrevious)
    let last = try car.drivers.page(2, size: 10, orderBy: "code")
    #expect(codes(last) == (30..<35).map { "p\($0)" } && !last.hasNext)
    let beyond = try car.drivers.page(3, size: 10)
    #expect(beyond.items.isEmpty && beyond.totalItems == 25)
  }

  @Test(.sqliteOnly("it counts the statements of SQLite"))
  func `a page and its total are of one state of the store`() throws {
    let log = Shared<[String]>([])
    let traced = try TestStore {
      $0.trace = { event in
        if case .statement(let sql) = event { log.withLock { $0.append(sql) } }
      }
    }
    let car = Car.create()
    car.drivers.add(Self.person("p"))
    try traced.store.save([car])
    _ = try car.drivers.page(0, size: 10)
    log.withLock { $0 = [] }
    #expect(try car.drivers.page(0, size: 10).items.count == 1)
    let ran = log.withLock { $0 }.filter { sql in
      ["BEGIN", "COMMIT", "ROLLBACK"].contains { sql.hasPrefix($0) } || sql.contains("Car_drivers")
    }
    #expect(ran.count == 4 && ran.first?.hasPrefix("BEGIN") == true)
    #expect(ran.dropFirst().prefix(2).allSatisfy { $0.hasPrefix("SELECT") })
  }

  @Test func `pages without an order have each element once`() throws {
    let pages = try (0..<3).map { codes(try car.drivers.page($0, size: 10)) }
    #expect(Set(pages.joined()).count == 25 && pages.map(\.count) == [10, 10, 5])
  }

  @Test func `a condition counts only the elements that it is true of`() throws {
    let page = try car.drivers.page(1, size: 3, where: "code >= ?", "p30", orderBy: "code DESC")
    #expect(codes(page) == ["p31", "p30"])
    #expect(page.totalItems == 5 && page.totalPages == 2)
    let named = try car.drivers.page(0, size: 3, where: "code >= :c", ["c": "p33"])
    #expect(named.items.count == 2 && named.totalItems == 2)
    expectError(.sealedCondition) { _ = try car.drivers.page(0, size: 3, where: "name = 'a'") }
  }

  @Test func `the async twins return the same pages`() async throws {
    let page = try await car.drivers.page(0, size: 2, orderBy: "code")
    #expect(codes(page) == ["p10", "p11"] && page.totalItems == 25)
    let some = try await car.drivers.page(0, size: 2, where: "code < ?", "p11", orderBy: "code")
    #expect(codes(some) == ["p10"] && some.totalItems == 1)
    let named = try await car.drivers.page(0, size: 3, where: "code >= :c", ["c": "p34"])
    #expect(codes(named) == ["p34"] && named.totalPages == 1)
  }

  @Test func `an owner that was never stored has an empty page`() async throws {
    let new = Car.create()
    new.drivers.add(Self.person("new"))
    let page = try await new.drivers.page(0, size: 10)
    #expect(page.items.isEmpty && page.totalItems == 0 && page.totalPages == 0)
    #expect(try await new.drivers.page(0, size: 10).totalItems == 0)
  }

  @Test func `a page that can't exist is an error`() async throws {
    expectError(.badPage, entity: "Person") { _ = try car.drivers.page(-1, size: 10) }
    expectError(.badPage, entity: "Person") { _ = try car.drivers.page(0, size: 0) }
    let new = Car.create()
    expectError(.badPage, entity: "Person") { _ = try new.drivers.page(0, size: 0) }
    let error = await #expect(throws: NacreError.self) {
      _ = try await car.drivers.page(0, size: 10, startingAt: 1)
    }
    #expect(error?.code == .badPage)
  }
}
