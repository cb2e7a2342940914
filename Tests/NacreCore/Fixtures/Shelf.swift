import NacreCore
@testable import TestSupport

/// A parent that deletes the children that are taken out; the rows of its children have versions.
final class Shelf: Entity {
  private var booksStorage: [Book] = []
  private var linkedStorage: [Book] = []
  private var bestStorage: Book?
  var shelves: [Shelf] = [] { didSet { entityState.markChanged(3) } }
  private var labelStorage = ""
  @exclusivity(unchecked) var entityState = EntityState()
  @exclusivity(unchecked) var entityChildren = FormerChildren()
  /// Called after the label is set; `thrown` keeps the error that it threw.
  var onLabel: ((Shelf) throws -> Void)?
  private(set) var thrown: (any Error)?

  var books: [Book] {
    get { booksStorage }
    _modify {
      entityChildren.note(booksStorage, at: 0, entityState)
      defer { entityState.markChanged(0) }
      yield &booksStorage
    }
  }

  /// Children that are found by their own links.
  var linked: [Book] {
    get { linkedStorage }
    _modify {
      entityChildren.note(linkedStorage, at: 1, entityState)
      defer { entityState.markChanged(1) }
      yield &linkedStorage
    }
  }

  var best: Book? {
    get { bestStorage }
    _modify {
      entityChildren.note(bestStorage, at: 2, entityState)
      defer { entityState.markChanged(2) }
      yield &bestStorage
    }
  }

  var label: String {
    get { labelStorage }
    set {
      labelStorage = newValue
      entityState.markChanged(4)
      do { try onLabel?(self) } catch { thrown = error }
    }
  }

  init() {}

  init(row: RowReader) throws {
    booksStorage = try row.read(at: 0)
    linkedStorage = try row.read(at: 1)
    bestStorage = try row.read(at: 2)
    shelves = try row.read(at: 3)
    labelStorage = try row.read(at: 4)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(booksStorage, at: 0)
    try row.bind(linkedStorage, at: 1)
    try row.bind(bestStorage, at: 2)
    try row.bind(shelves, at: 3)
    try row.bind(labelStorage, at: 4)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(booksStorage, at: 0)
    walk.visit(linkedStorage, at: 1)
    walk.visit(bestStorage, at: 2)
    walk.visit(shelves, at: 3)
  }

  static let entitySchema: EntitySchema = {
    let deleting = RelationshipOptions(removed: .delete)
    var schema = EntitySchemaBuilder(Shelf.self, name: "Shelf")
    schema.add("books", \Shelf.books, relationship: deleting)
    schema.add("linked", \Shelf.linked, relationship: deleting, inverse: \Book.shelf)
    schema.add("best", \Shelf.best, relationship: deleting)
    schema.add("shelves", \Shelf.shelves)
    schema.add("label", \Shelf.label)
    schema.attach(\Shelf.booksStorage, at: 0)
    schema.attach(\Shelf.linkedStorage, at: 1)
    schema.attach(\Shelf.bestStorage, at: 2)
    return schema.build()
  }()
}

/// A child of a shelf.
final class Book: Entity {
  var name = "" { didSet { entityState.markChanged(0) } }
  var shelf: Link<Shelf>? { didSet { entityState.markChanged(1) } }
  var appendix: Book? { didSet { entityState.markChanged(2) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    name = try row.read(at: 0)
    shelf = try row.read(at: 1)
    appendix = try row.read(at: 2)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(name, at: 0)
    try row.bind(shelf, at: 1)
    try row.bind(appendix, at: 2)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(shelf, at: 1)
    walk.visit(appendix, at: 2)
  }

  static func named(_ name: String) -> Book {
    let book = Book.create()
    book.name = name
    return book
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Book.self, name: "Book", detectsConflicts: true)
    schema.add("name", \Book.name)
    schema.add("shelf", \Book.shelf)
    schema.add("appendix", \Book.appendix)
    return schema.build()
  }()
}
