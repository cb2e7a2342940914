import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Children that are deleted when they are taken out, and whose rows have versions.
@Suite struct RemovalTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private func shelf(_ names: String, _ change: (Shelf) -> Void = { _ in }) throws -> Shelf {
    let shelf = Shelf.create()
    shelf.books = names.map { Book.named(String($0)) }
    shelf.use(test.store)
    change(shelf)
    try shelf.save()
    return shelf
  }

  private func load(_ shelf: Shelf) throws -> Shelf {
    try #require(try test.store.read { _ in try Shelf.fetch(id: shelf.objectID) })
  }

  private func change(_ book: Book, _ text: String = "changed") throws {
    let other = try #require(try test.store.read { _ in try Book.fetch(id: book.objectID) })
    other.name = text
    try other.save()
  }

  private func books() throws -> String {
    try test.store.read { _ in try Book.fetchAll() }.map(\.name).sorted().joined()
  }

  enum List: CaseIterable {
    case books, linked

    var path: ReferenceWritableKeyPath<Shelf, [Book]> { self == .books ? \.books : \.linked }
  }

  @Test(arguments: List.allCases)
  func `a child that somebody has changed is not deleted when it is taken out`(_ list: List) throws
  {
    let list = list.path
    let shelf = try shelf("") { $0[keyPath: list] = ["a", "b"].map(Book.named) }
    let other = try load(shelf)
    let id = other[keyPath: list][0].objectID
    try change(shelf[keyPath: list][0])
    other[keyPath: list].removeFirst()
    expectError(.conflict, entity: "Book", objectID: id) { try other.save() }
    #expect(try books() == "bchanged" && load(shelf)[keyPath: list].count == 2)
    try other.refresh()
    #expect(other[keyPath: list].count == 2)
    other[keyPath: list].removeFirst()
    try other.save()
    #expect(try books() == "b")
  }

  @Test func `a to-one child that somebody has changed is not deleted when it is taken out`() throws
  {
    let shelf = try shelf("") { $0.best = Book.named("a") }
    let other = try load(shelf)
    try change(try #require(shelf.best))
    other.best = nil
    expectError(.conflict, entity: "Book") { try other.save() }
    #expect(try books() == "changed")
    try other.refresh(cascade: true)
    other.best = Book.named("b")
    try other.save()
    #expect(try books() == "b")
  }

  @Test func `a removed child that was changed and saved is deleted by its parent's save`() throws {
    let shelf = try shelf("ab")
    let book = shelf.books.removeFirst()
    book.name = "c"
    try book.save()
    try shelf.save()
    #expect(try books() == "b")
  }

  @Test func `a conflict below a removed child is found while the child is held`() throws {
    let shelf = try shelf("a") { $0.books[0].appendix = Book.named("x") }
    let other = try load(shelf)
    let appendix = try #require(other.books[0].appendix)
    try change(appendix)
    let book = other.books.removeFirst()
    expectError(.conflict, entity: "Book", objectID: appendix.objectID) { try other.save() }
    try withExtendedLifetime(book) { try appendix.refresh() }
    try other.save()
    #expect(try books() == "")
  }

  @Test(arguments: [true, false])
  func `a child is moved from one parent to another whichever is saved first`(isFirst: Bool) throws
  {
    let (one, two) = (try shelf("ab"), try shelf("c"))
    let root = Shelf.create()
    root.shelves = isFirst ? [one, two] : [two, one]
    root.use(test.store)
    try root.save()
    let book = one.books.removeFirst()
    two.books.append(book)
    try root.save()
    #expect(try load(one).books.map(\.name) == ["b"])
    #expect(try load(two).books.map(\.name) == ["c", "a"])
    two.linked.append(two.books.removeLast())
    try root.save()
    one.linked.append(two.linked.removeLast())
    try root.save()
    #expect(try load(one).linked.map(\.name) == ["a"] && load(two).linked.isEmpty)
    one.best = one.linked.removeLast()
    two.best = one.best
    one.best = nil
    try root.save()
    #expect(try load(two).best?.name == "a" && load(one).best == nil)
    #expect(try books() == "abc")
  }

  @Test func `a list by links of the children changes no version of theirs`() throws {
    let shelf = try shelf("") { $0.linked = [Book.named("a")] }
    let other = try load(shelf)
    let book = Book.named("b")
    book.use(test.store)
    try book.save()
    let stale = try #require(try test.store.read { _ in try Book.fetch(id: book.objectID) })
    shelf.linked.append(book)
    try shelf.save()
    stale.name = "c"
    try stale.save()
    // Nor does it compare one: the row has changed since `book` was loaded.
    let another = try self.shelf("")
    another.linked.append(book)
    shelf.linked.removeLast()
    try another.save()
    try shelf.save()
    #expect(try load(another).linked.map(\.name) == ["c"])
    #expect(try load(shelf).linked.map(\.name) == ["a"])
    _ = other
  }

  @Test func `versions of rows that were loaded in one store mean nothing in another`()
    throws
  {
    let shelf = try shelf("ab") { $0.best = Book.named("c") }
    let two = try TestStore()
    let copy = try load(shelf)
    copy.use(two.store)
    try copy.save()
    let moved = try load(shelf)
    moved.books.removeFirst()
    moved.best = nil
    // Only as a child it takes the place of the row that is there.
    let root = Shelf.create()
    root.shelves = [moved]
    root.use(two.store)
    try root.save()
    let stored = try two.store.read { _ in try Book.fetchAll() }
    #expect(stored.map(\.name) == ["b"])
    #expect(try books() == "abc")
  }

  @Test func `a child whose deletion was rolled back can be removed from its list`() throws {
    let shelf = try shelf("abc")
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try test.store.write { _ in
        try shelf.books[0].delete()
        shelf.books.removeFirst()
        throw Stop()
      }
    }
    #expect(shelf.books.map(\.name) == ["b", "c"])
    try shelf.save()
    #expect(try load(shelf).books.map(\.name) == ["b", "c"])
    #expect(try books() == "bc")
  }

  @Test func `an observer that saves while its object is refreshed does so outside of the read`()
    throws
  {
    let shelf = try shelf("a")
    let other = try load(shelf)
    other.label = "new"
    try other.save()
    let note = Book.named("note")
    note.use(test.store)
    shelf.onLabel = { _ in try note.save() }
    try shelf.refresh()
    #expect(shelf.label == "new" && note.isStored && shelf.thrown == nil)
  }
}
