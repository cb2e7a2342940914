import Foundation
import NacreCore
import NacreUpkeep
import Testing
@testable import TestSupport

/// Links that two classes have to each other, and that one table stores.
@Suite struct BothSidesTests {
  private let test: TestStore
  private var store: Store { test.store }
  private let alien = Studio.Film.create()
  private let heat = Studio.Film.create()
  private let ada = Studio.Actor.create()
  private let bob = Studio.Actor.create()

  init() throws {
    test = try TestStore()
    (alien.title, heat.title) = ("Alien", "Heat")
    (ada.name, bob.name) = ("Ada", "Bob")
  }

  /// Ada in both films, Bob in Heat.
  private func fill() throws {
    alien.cast.add(ada)
    heat.cast.add(ada)
    heat.cast.add(bob)
    try store.save([alien, heat])
  }

  private func titles(_ actor: Studio.Actor) throws -> [String] {
    try actor.films.fetchAll(orderBy: "title").map(\.title)
  }

  private func names(_ film: Studio.Film) throws -> [String] {
    try film.cast.fetchAll(orderBy: "name").map(\.name)
  }

  @Test func `each side sees what the other has added, and one table stores it`() throws {
    try fill()
    #expect(try titles(ada) == ["Alien", "Heat"] && titles(bob) == ["Heat"])
    bob.films.add(alien)
    // What is there already is added once.
    bob.films.add(heat)
    try bob.save()
    #expect(try names(alien) == ["Ada", "Bob"] && names(heat) == ["Ada", "Bob"])
    #expect(try store.objectNames(among: ["Film_cast", "Actor_films"]) == ["Film_cast"])
    let count = try store.read { try $0.query("SELECT count(*) FROM \"Film_cast\"") }
    #expect(count == [[4]])
  }

  @Test func `either side removes, and a rollback lets what it added wait`() throws {
    try fill()
    ada.films.remove(alien)
    try ada.save()
    #expect(try names(alien).isEmpty && titles(ada) == ["Heat"])
    heat.cast.remove(bob)
    try heat.save()
    #expect(try titles(bob).isEmpty)
    ada.films.removeAll()
    struct Stop: Error {}
    bob.films.add(alien)
    #expect(throws: Stop.self) {
      try store.write { _ in
        try ada.save()
        try bob.save()
        throw Stop()
      }
    }
    #expect(try names(heat) == ["Ada"] && names(alien).isEmpty)
    try ada.save()
    try bob.save()
    #expect(try names(heat).isEmpty && names(alien) == ["Bob"])
  }

  @Test func `new objects of both sides are saved with who links to them`() throws {
    alien.cast.add(ada)
    ada.films.add(heat)
    heat.cast.add(bob)
    bob.films.add(alien)
    try store.save([alien])
    #expect(ada.isStored && heat.isStored && bob.isStored)
    #expect(try names(alien) == ["Ada", "Bob"] && names(heat) == ["Ada", "Bob"])
  }

  @Test
  func `a delete on either side clears the links`() throws {
    try fill()
    try heat.delete(cascade: true)
    #expect(try titles(ada) == ["Alien"] && titles(bob).isEmpty)
    try ada.delete()
    #expect(try names(alien).isEmpty)
    #expect(try store.read { try $0.query("SELECT count(*) FROM \"Film_cast\"") } == [[0]])
    #expect(try store.verify().isSound)
  }

  @Test(.checksReferencesLate()) func `a link to an object that is gone fails the save by name`()
    throws
  {
    try fill()
    bob.films.add(objectID: UUID())
    expectError(.constraint, entity: "Actor", property: "films") { try bob.save() }
    #expect(try titles(bob) == ["Heat"])
  }

  @Test func `the other side is paged, counted, read by a cursor and asked by predicates`() throws {
    try fill()
    let page = try ada.films.page(0, size: 1, orderBy: "title DESC")
    #expect(page.items.map(\.title) == ["Heat"] && page.totalItems == 2)
    #expect(try ada.films.count() == 2 && bob.films.contains(objectID: heat.objectID))
    #expect(try !bob.films.contains(objectID: alien.objectID))
    let cursor = try ada.films.cursor(orderBy: "title")
    #expect(try cursor.next()?.title == "Alien" && cursor.next()?.title == "Heat")
    try store.read { (_) throws in
      let actors = try Studio.Actor.fetchAll(
        #Predicate { $0.films.contains { $0.title == "Alien" } }
      )
      #expect(actors.map(\.name) == ["Ada"])
      let films = try Studio.Film.fetchAll(
        #Predicate { $0.cast.contains { $0.films.filter { _ in true }.count == 1 } }
      )
      #expect(films.map(\.title) == ["Heat"])
    }
  }

  @Test(.checksReferencesLate())
  func `objects that move to another store bring the links of both sides`() throws {
    try fill()
    let second = try TestStore()
    let other = second.store
    try other.write { _ in
      for object in [alien, heat, ada, bob] as [any Entity] {
        object.use(other)
        try object.save()
      }
    }
    #expect(try titles(ada) == ["Alien", "Heat"] && names(heat) == ["Ada", "Bob"])
  }
}

/// Declarations of both sides, one after another on the same file.
@Suite struct BothSidesSchemaTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  /// A film with one actor, as a program wrote it whose actors knew nothing of their films.
  private func older() throws {
    let store = try scene.open()
    let (film, actor) = (Reels.Film.create(), Reels.Actor.create())
    film.cast.add(actor)
    try store.save([film])
    // The class below declares these as the other side.
    try store.write { try $0.dropProperty("films", of: "Actor") }
    try store.close()
  }

  @Test func `links that an older program stored are found from their other side`() throws {
    try older()
    let store = try scene.open()
    let actor = try #require(try Studio.Actor.in(store).fetchOne())
    #expect(try actor.films.count() == 1)
    let film = Studio.Film.create()
    actor.films.add(film)
    try actor.save()
    #expect(try film.cast.count() == 1)
  }

  @Test func `links of their own do not become another's side`() throws {
    let store = try scene.open()
    let actor = Reels.Actor.create()
    actor.films.add(Reels.Film.create())
    try store.save([actor])
    try store.close()
    let next = try scene.open()
    expectError(.schemaMismatch, entity: "Actor", property: "films") {
      _ = try Studio.Actor.in(next).count()
    }
    #expect(try next.read { try $0.query("SELECT count(*) FROM \"Actor_films\"") } == [[1]])
  }

  @Test func `only one of two sides names the other`() throws {
    let store = try scene.open()
    expectError(.badDeclaration) { _ = try Circular.Film.in(store).count() }
    expectError(.badDeclaration) { _ = try Circular.Actor.in(store).count() }
  }

  @Test
  func `a table gets the name that its property gives it, with its rows`() throws {
    try older()
    let store = try scene.open()
    let plan = try store.migrationPlan(Casting.Film.self)
    #expect(plan.description == "Film.cast: renamed from Film_cast")
    let film = try #require(try Casting.Film.in(store).fetchOne())
    #expect(try film.cast.count() == 1)
    #expect(try Casting.Actor.in(store).fetchOne()?.films.count() == 1)
    let names = ["casting", "casting__child", "Film_cast", "Film_cast__child"]
    #expect(try store.objectNames(among: names) == ["casting", "casting__child"])
    #expect(try store.verify().isSound)
    #expect(try store.check() == [])
    try store.close()
    // An older program must not make a second, empty table.
    let old = try scene.open()
    expectError(.schemaMismatch, entity: "Film", property: "cast") {
      _ = try Studio.Film.in(old).count()
    }
  }

  @Test
  func `a named table is exported and imported`() throws {
    let store = try scene.open()
    let film = Casting.Film.create()
    film.cast.add(Casting.Actor.create())
    try store.save([film])
    let lines = try Lines(store, revealing: true)
    let second = try Scene("copy.db")
    let copy = try second.open()
    #expect(try lines.load(into: copy).joinCount == 1)
    #expect(try Casting.Actor.in(copy).fetchOne()?.films.fetchAll().count == 1)
    #expect(try copy.verify().isSound)
  }

  @Test func `a table has no name that is reserved or that the class's own table has`() throws {
    let store = try scene.open()
    expectError(.badDeclaration, entity: "Reserved", property: "crew") {
      _ = try Misnamed.Reserved.in(store).count()
    }
    expectError(.badDeclaration, entity: "Own", property: "crew") {
      _ = try Misnamed.Own.in(store).count()
    }
  }

  @Test func `a table that is not the relationship's is left alone`() throws {
    let store = try scene.open()
    try store.write { try $0.execute("CREATE TABLE casting (owner bytea, child bytea)") }
    expectError(.schemaMismatch, entity: "Film", property: "cast") {
      _ = try Casting.Film.in(store).count()
    }
    try store.write { try $0.execute("DROP TABLE casting") }
    #expect(try Casting.Film.in(store).count() == 0)
  }
}
