import Foundation
import Nacre
import Testing
@testable import TestSupport

/// Objects one after another.
///
/// There are no more readers than two: one that is not given back fails a test.
@Suite(.timeLimit(.minutes(10))) struct CursorTests {
  let test: TestStore

  init() throws { test = try TestStore { ($0.readerLimit, $0.maximumReaderCount) = (2, 2) } }

  private func titles(_ cursor: EntityCursor<Node>, limit: Int = .max) throws -> [String] {
    var titles: [String] = []
    while titles.count < limit, let node = try cursor.next() { titles.append(node.title) }
    return titles
  }

  /// Nodes named 0000, 0001, …, as raw SQL makes them.
  private func insertNodes(_ count: Int) throws {
    try test.store.write { (database) throws in
      _ = try Node.count()
      try database.execute(
        Numbered.insert(count, into: "Node", "title", Numbered.digits(4, of: "n"))
      )
    }
  }

  private func expected(_ count: Int) -> [String] {
    (0..<count).map { index in String("\(10_000 + index)".dropFirst()) }
  }

  // MARK: - Same as fetchAll

  @Test func `a cursor over 20,000 objects brings what fetchAll brings, with their children`()
    throws
  {
    try test.store.write { (database) throws in
      _ = try Shelf.count()
      try database.execute(Numbered.insert(20_000, into: "Shelf", "row", "n"))
      try database.execute(Numbered.insert(40_000, into: "Book", "title", "'book ' || n"))
      try database.execute(
        """
        INSERT INTO "Shelf_books" ("owner", "position", "child")
        SELECT s."objectID", k, b."objectID"
        FROM "Shelf" s CROSS JOIN (SELECT 0 AS k UNION ALL SELECT 1) AS places
        JOIN "Book" b ON b."objectID" = \(Numbered.identifier("s.row * 2 + 1 - k"))
        """
      )
    }
    try test.store.read { (_) throws in
      let all = try Shelf.fetchAll(orderBy: "row DESC")
      let cursor = try Shelf.cursor(orderBy: "row DESC")
      var count = 0
      while let shelf = try cursor.next() {
        let other = all[count]
        guard shelf.objectID == other.objectID, shelf.row == 19_999 - count,
          shelf.books.map(\.title) == ["book \(shelf.row * 2 + 1)", "book \(shelf.row * 2)"],
          shelf.books.map(\.objectID) == other.books.map(\.objectID), !shelf.hasChanges
        else {
          Issue.record("row \(count) differs")
          break
        }
        count += 1
      }
      #expect(count == 20_000 && all.count == 20_000)
    }
  }

  @Test(arguments: [0, 1, 255, 256, 257, 512, 513])
  func `a cursor ends after the last object and stays at its end`(_ count: Int) throws {
    try insertNodes(count)
    try test.store.read { (_) throws in
      let cursor = try Node.cursor(orderBy: "title")
      #expect(try titles(cursor) == expected(count))
      #expect(try cursor.next() == nil)
      #expect(try cursor.next() == nil)
    }
  }

  @Test func `children are read for many objects at once`() throws {
    try insertNodes(600)
    let walk = {
      try test.store.read { _ in
        let cursor = try Node.cursor(orderBy: "title")
        while try cursor.next() != nil {}
      }
    }
    try walk()
    let statements = try test.statements(walk)
    // The rows, and their children in three portions: a query each, for no node has a next one.
    #expect(statements.count <= 1 + 3)
  }

  @Test func `links of a cursor's objects are loaded when they are asked for`() throws {
    try Library.store(3, in: test.store)
    let car = Car.create()
    car.owner = Link(Person.create())
    try test.store.write { _ in try car.save() }
    try test.store.read { (_) throws in
      #expect(try Car.cursor().next()?.owner?.loaded == nil)
      #expect(try Car.cursor(with: \.owner).next()?.owner?.loaded != nil)
      let library = try Library.cursor(where: "name = ?", "library 1").next()
      #expect(library?.shelves.flatMap(\.books).count == 12)
    }
  }

  // MARK: - Transactions

  @Test func `a cursor inside a write sees what was written, and saves go on beside it`() throws {
    try insertNodes(600)
    try test.store.write { (_) throws in
      let added = Node.create()
      added.title = "zzzz"
      try added.save()
      let cursor = try Node.cursor(where: "title >= ?", "0300", orderBy: "title")
      var seen: [String] = []
      while let node = try cursor.next() {
        seen.append(node.title)
        if node.title == "0310" { _ = try Node.fetchAll(where: "title < ?", "0003") }
        node.friend = Link(added)
        try node.save()
      }
      #expect(seen == expected(600).dropFirst(300) + ["zzzz"])
    }
    let linked = try test.store.read { _ in try Node.count(where: "friend IS NOT NULL") }
    #expect(linked == 301)
  }

  @Test func `a cursor sees one state of the store from its first row to its last`() throws {
    try insertNodes(600)
    let store = test.store
    try store.read { (_) throws in
      let cursor = try Node.cursor(orderBy: "title")
      #expect(try titles(cursor, limit: 10) == Array(expected(600).prefix(10)))
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = try? store.write { _ in try Node.deleteAll(where: "title > ?", "0100") }
        done.signal()
      }
      done.wait()
      #expect(try titles(cursor) == Array(expected(600).dropFirst(10)))
    }
    #expect(try store.read { _ in try Node.count() } == 101)
  }

  @Test func `two cursors are read by turns`() throws {
    try insertNodes(600)
    try test.store.read { (_) throws in
      let up = try Node.cursor(orderBy: "title")
      let down = try Node.cursor(orderBy: "title DESC")
      for index in 0..<600 {
        let (first, last) = (try up.next()?.title, try down.next()?.title)
        guard first == expected(600)[index], last == expected(600)[599 - index] else {
          Issue.record("row \(index): \(first ?? "-"), \(last ?? "-")")
          return
        }
      }
      #expect(try up.next() == nil && down.next() == nil)
    }
  }

  // MARK: - Readers

  /// Links know their store, so that their cursors need no `read` around them and hold readers of their own.
  private func links() throws -> Links<Visit> {
    let house = House.create()
    house.use(test.store)
    try house.save()
    try test.store.write { (database) throws in
      try database.execute(Numbered.insert(600, into: "Visit", "day", "n"))
      try database.execute("UPDATE \"Visit\" SET house = ?", house.objectID)
    }
    return house.visits
  }

  @Test func `a cursor that is let go half-way gives its reader back`() throws {
    let visits = try links()
    for _ in 0..<20 {
      let cursor = try visits.cursor(orderBy: "day")
      #expect(try cursor.next()?.day == 0)
    }
    for _ in 0..<20 { _ = try visits.cursor() }
    #expect(try visits.count() == 600)
  }

  @Test func `a cursor that is closed or at its end gives its reader back`() throws {
    let visits = try links()
    var cursors: [EntityCursor<Visit>] = []
    for index in 0..<20 {
      let cursor = try visits.cursor()
      if index.isMultiple(of: 2) {
        #expect(try cursor.next() != nil)
        cursor.close()
        cursor.close()
        #expect(try cursor.next() == nil)
      } else {
        while try cursor.next() != nil {}
      }
      cursors.append(cursor)
    }
    #expect(try visits.count() == 600)
  }

  @Test func `as many cursors are open at once as there are readers`() throws {
    let visits = try links()
    let (first, second) = (
      try visits.cursor(orderBy: "day"), try visits.cursor(orderBy: "day DESC")
    )
    for index in 0..<600 {
      guard try first.next()?.day == index, try second.next()?.day == 599 - index else {
        Issue.record("row \(index) differs")
        return
      }
    }
  }

  @Test(.sqliteOnly("a server's column takes no value of another type"))
  func `an error in the middle closes the cursor and gives its reader back`() throws {
    let visits = try links()
    try test.store.write {
      try $0.execute("UPDATE Visit SET day = 'no day' WHERE day = 300")
    }
    var cursors: [EntityCursor<Visit>] = []
    for _ in 0..<5 {
      let cursor = try visits.cursor()
      var count = 0
      let error = #expect(throws: NacreError.self) {
        while try cursor.next() != nil { count += 1 }
      }
      #expect(error?.code == .valueMismatch)
      #expect(error?.entity == "Visit" && error?.property == "day")
      #expect(count >= 256 && count <= 300)
      #expect(try cursor.next() == nil)
      cursors.append(cursor)
    }
    #expect(try visits.count() == 600)
  }

  @Test func `a cursor that can't be opened keeps no reader`() throws {
    let visits = try links()
    for _ in 0..<5 {
      let error = #expect(throws: NacreError.self) { try visits.cursor(orderBy: "nonesuch") }
      #expect(error?.code == .badStatement)
    }
    #expect(try visits.count() == 600)
  }
}
