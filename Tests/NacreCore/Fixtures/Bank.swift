import NacreCore
import Testing
@testable import TestSupport

/// An owner that detects conflicts, with children, a link and links of a class that detects them
/// too.
final class Bank: Entity {
  var name = "" { didSet { entityState.markChanged(0) } }
  var main: Deposit? { didSet { entityState.markChanged(1) } }
  var accounts: [Deposit] = [] { didSet { entityState.markChanged(2) } }
  var partner: Link<Deposit>? { didSet { entityState.markChanged(3) } }
  var watched = Links<Deposit>() { didSet { entityState.markChanged(4) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    name = try row.read(at: 0)
    main = try row.read(at: 1)
    accounts = try row.read(at: 2)
    partner = try row.read(at: 3)
    watched = try row.read(at: 4)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(name, at: 0)
    try row.bind(main, at: 1)
    try row.bind(accounts, at: 2)
    try row.bind(partner, at: 3)
    try row.bind(watched, at: 4)
  }

  func visitChildren(_ walk: GraphWalk) {
    walk.visit(main, at: 1)
    walk.visit(accounts, at: 2)
    walk.visit(partner, at: 3)
    walk.visit(watched, at: 4)
  }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Bank.self, name: "Bank", detectsConflicts: true)
    schema.add("name", \Bank.name)
    schema.add("main", \Bank.main)
    schema.add("accounts", \Bank.accounts)
    schema.add("partner", \Bank.partner)
    schema.add("watched", \Bank.watched)
    return schema.build()
  }()
}

/// Accounts and banks in a store of their own.
struct BankScene {
  let scene: Scene
  let store: Store

  init(_ change: (inout StoreOptions) -> Void = { _ in }) throws {
    scene = try Scene()
    store = try scene.open(Scene.unlock, change)
  }

  @discardableResult
  func account(_ title: String, _ change: (Deposit) -> Void = { _ in }) throws -> Deposit {
    let account = Deposit.create()
    account.title = title
    change(account)
    try save(account)
    return account
  }

  /// Stores a bank with a main account, two others, and the partner and watched accounts that are
  /// given.
  func bank(partner: Deposit? = nil, watched: [Deposit] = []) throws -> Bank {
    let bank = Bank.create()
    bank.name = "bank"
    bank.main = Deposit.create()
    bank.accounts = (1...2).map { number in
      let account = Deposit.create()
      account.title = "\(number)"
      return account
    }
    bank.partner = partner.map { Link($0) }
    for account in watched { bank.watched.add(account) }
    try save(bank)
    return bank
  }

  func save(_ object: any Entity) throws {
    object.use(store)
    try object.save()
  }

  /// Loads another instance of an object, as it is stored now.
  func other<E: Entity>(_ object: E) throws -> E {
    try #require(try store.read { _ in try E.fetch(id: object.objectID) })
  }

  /// Changes an account through another instance of it.
  func change(_ account: Deposit, _ change: (Deposit) -> Void = { $0.balance += 1 }) throws {
    let other = try other(account)
    change(other)
    try other.save()
  }
}
