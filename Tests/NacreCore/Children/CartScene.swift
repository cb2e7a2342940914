import Foundation
import Testing
@testable import TestSupport

@testable import NacreCore

/// The lists of a cart.
enum CartList: CaseIterable, CustomTestStringConvertible {
  case joined, joinedOnly, linked, linkedOnly

  var path: ReferenceWritableKeyPath<Cart, [Piece]> {
    switch self {
    case .joined: \.joined
    case .joinedOnly: \.joinedOnly
    case .linked: \.linked
    case .linkedOnly: \.linkedOnly
    }
  }

  /// The piece's own link, where it holds the list.
  var link: ReferenceWritableKeyPath<Piece, Link<Cart>?>? {
    switch self {
    case .joined, .joinedOnly: nil
    case .linked: \.cart
    case .linkedOnly: \.owner
    }
  }

  var deletes: Bool { self == .joinedOnly || self == .linkedOnly }

  var testDescription: String { "\(self)" }
}

/// A store with one cart, of which a test loads as many instances as it likes.
struct CartScene {
  let test: TestStore
  let id: UUID
  let list: CartList

  init(
    _ names: String,
    _ list: CartList,
    in directory: TemporaryDirectory? = nil
  ) throws {
    test = try TestStore(in: directory)
    self.list = list
    let cart = Cart.create()
    id = cart.objectID
    cart[keyPath: list.path] = names.map { Piece.named(String($0)) }
    cart.use(test.store)
    try cart.save()
  }

  func load(_ id: UUID? = nil) throws -> Cart {
    let id = id ?? self.id
    return try #require(try test.store.read { _ in try Cart.fetch(id: id) })
  }

  /// What is stored, by the pieces' names.
  func stored(_ id: UUID? = nil) throws -> String { names(try load(id)) }

  func names(_ cart: Cart) -> String { cart[keyPath: list.path].map(\.name).joined() }

  func add(_ name: String, to cart: Cart) {
    cart[keyPath: list.path].append(Piece.named(name))
  }

  func remove(_ name: String, from cart: Cart) {
    cart[keyPath: list.path].removeAll { $0.name == name }
  }

  /// The names of all pieces that have a row.
  func rows() throws -> String {
    try test.store.read { _ in try Piece.fetchAll() }.map(\.name).sorted().joined()
  }
}

extension CartScene {
  /// What a column of positions can hold instead of the place of an element: on SQLite anything.
  static let wrongPositions =
    (TestPlace.isOnServer ? [] : ["'text'", "x'00'", "1.5"])
    + ["9223372036854775807", "-9223372036854775808"]
}
