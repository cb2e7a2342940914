import NacreCore

/// A parent with every kind of list, each of which notes its children before they are set, as
/// `@Entity` does.
final class Cart: Entity {
  private var labelStorage = ""
  private var joinedStorage: [Piece] = []
  private var joinedOnlyStorage: [Piece] = []
  private var linkedStorage: [Piece] = []
  private var linkedOnlyStorage: [Piece] = []
  private var bestStorage: Piece?
  var inner: Cart? { didSet { entityState.markChanged(6) } }
  @exclusivity(unchecked) var entityState = EntityState()
  @exclusivity(unchecked) var entityChildren = FormerChildren()

  var label: String {
    get { labelStorage }
    set {
      labelStorage = newValue
      entityState.markChanged(0)
    }
  }

  /// Children in a table of the relationship; they stay when they are taken out.
  var joined: [Piece] {
    get { joinedStorage }
    _modify {
      entityChildren.note(joinedStorage, at: 1, entityState)
      defer { entityState.markChanged(1) }
      yield &joinedStorage
    }
  }

  /// Children in a table of the relationship; they are deleted when they are taken out.
  var joinedOnly: [Piece] {
    get { joinedOnlyStorage }
    _modify {
      entityChildren.note(joinedOnlyStorage, at: 2, entityState)
      defer { entityState.markChanged(2) }
      yield &joinedOnlyStorage
    }
  }

  /// Children that are found by their own links; they stay when they are taken out.
  var linked: [Piece] {
    get { linkedStorage }
    _modify {
      entityChildren.note(linkedStorage, at: 3, entityState)
      defer { entityState.markChanged(3) }
      yield &linkedStorage
    }
  }

  /// Children that are found by their own links; they are deleted when they are taken out.
  var linkedOnly: [Piece] {
    get { linkedOnlyStorage }
    _modify {
      entityChildren.note(linkedOnlyStorage, at: 4, entityState)
      defer { entityState.markChanged(4) }
      yield &linkedOnlyStorage
    }
  }

  /// A child that is deleted when another takes its place.
  var best: Piece? {
    get { bestStorage }
    _modify {
      entityChildren.note(bestStorage, at: 5, entityState)
      defer { entityState.markChanged(5) }
      yield &bestStorage
    }
  }

  init() {}

  init(row: RowReader) throws {
    labelStorage = try row.read(at: 0)
    joinedStorage = try row.read(at: 1)
    joinedOnlyStorage = try row.read(at: 2)
    linkedStorage = try row.read(at: 3)
    linkedOnlyStorage = try row.read(at: 4)
    bestStorage = try row.read(at: 5)
    inner = try row.read(at: 6)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(labelStorage, at: 0)
    try row.bind(joinedStorage, at: 1)
    try row.bind(joinedOnlyStorage, at: 2)
    try row.bind(linkedStorage, at: 3)
    try row.bind(linkedOnlyStorage, at: 4)
    try row.bind(bestStorage, at: 5)
    try row.bind(inner, at: 6)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(joinedStorage, at: 1)
    walk.visit(joinedOnlyStorage, at: 2)
    walk.visit(linkedStorage, at: 3)
    walk.visit(linkedOnlyStorage, at: 4)
    walk.visit(bestStorage, at: 5)
    walk.visit(inner, at: 6)
  }

  static let entitySchema: EntitySchema = {
    let deleting = RelationshipOptions(removed: .delete)
    var schema = EntitySchemaBuilder(Cart.self, name: "Cart")
    schema.add("label", \Cart.label)
    schema.add("joined", \Cart.joined)
    schema.add("joinedOnly", \Cart.joinedOnly, relationship: deleting)
    schema.add("linked", \Cart.linked, inverse: \Piece.cart)
    schema.add("linkedOnly", \Cart.linkedOnly, relationship: deleting, inverse: \Piece.owner)
    schema.add("best", \Cart.best, relationship: deleting)
    schema.add("inner", \Cart.inner)
    schema.attach(\Cart.joinedStorage, at: 1)
    schema.attach(\Cart.joinedOnlyStorage, at: 2)
    schema.attach(\Cart.linkedStorage, at: 3)
    schema.attach(\Cart.linkedOnlyStorage, at: 4)
    schema.attach(\Cart.bestStorage, at: 5)
    return schema.build()
  }()
}

/// A child of a cart.
final class Piece: Entity {
  var name = "" { didSet { entityState.markChanged(0) } }
  var cart: Link<Cart>? { didSet { entityState.markChanged(1) } }
  var owner: Link<Cart>? { didSet { entityState.markChanged(2) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    name = try row.read(at: 0)
    cart = try row.read(at: 1)
    owner = try row.read(at: 2)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(name, at: 0)
    try row.bind(cart, at: 1)
    try row.bind(owner, at: 2)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(cart, at: 1)
    walk.visit(owner, at: 2)
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Piece.self, name: "Piece")
    schema.add("name", \Piece.name)
    schema.add("cart", \Piece.cart)
    schema.add("owner", \Piece.owner)
    return schema.build()
  }()

  static func named(_ name: String) -> Piece {
    let piece = Piece.create()
    piece.name = name
    return piece
  }
}
