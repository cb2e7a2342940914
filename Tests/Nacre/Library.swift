import Nacre

/// Three levels of children, to-one and to-many on each.
@Entity final class Library {
  var name = ""
  var index: Register?
  var shelves: [Shelf] = []

  /// Libraries of three shelves with four books each, everything with a register.
  static func store(_ count: Int, in store: Store) throws {
    try store.write { _ in
      for number in 0..<count {
        let library = Library.create()
        library.name = "library \(number)"
        library.index = Register.create()
        library.shelves = (0..<3).map { _ in Shelf.create() }
        for (row, shelf) in library.shelves.enumerated() {
          shelf.row = row
          shelf.label = Register.create()
          shelf.label?.entries = row
          shelf.books = (0..<4).map { place in
            let book = Book.create()
            book.title = "book \(number).\(row).\(place)"
            return book
          }
        }
        try library.save()
      }
    }
  }
}

@Entity final class Shelf {
  var row = 0
  var label: Register?
  var books: [Book] = []
}

@Entity final class Book {
  var title = ""
}

@Entity final class Register {
  var entries = 0
}
