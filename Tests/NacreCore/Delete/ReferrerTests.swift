import NacreCore
import NacreStore
import Synchronization
import Testing
@testable import TestSupport

/// Albums on a shelf, with tracks that belong to one album and may refer to another.
private enum Music {
  final class Shelf: Entity {
    var albums: [Album] = [] { didSet { entityState.markChanged(0) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      albums = try row.read(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.bind(albums, at: 0) }
    func visitChildren(_ walk: GraphWalk) { walk.visit(albums, at: 0) }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Shelf.self, name: "Shelf")
      schema.add("albums", \Shelf.albums)
      return schema.build()
    }()
  }

  final class Album: Entity {
    var tracks: [Track] = [] { didSet { entityState.markChanged(0) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      tracks = try row.read(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.bind(tracks, at: 0) }
    func visitChildren(_ walk: GraphWalk) { walk.visit(tracks, at: 0) }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Album.self, name: "Album")
      schema.add("tracks", \Album.tracks, inverse: \Track.album)
      return schema.build()
    }()
  }

  final class Track: Entity {
    var album: Link<Album>? { didSet { entityState.markChanged(0) } }
    var samples: Link<Album>? { didSet { entityState.markChanged(1) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      album = try row.read(at: 0)
      samples = try row.read(at: 1)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws {
      try row.bind(album, at: 0)
      try row.bind(samples, at: 1)
    }
    func visitChildren(_ walk: GraphWalk) {
      walk.visit(album, at: 0)
      walk.visit(samples, at: 1)
    }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Track.self, name: "Track")
      schema.add("album", \Track.album)
      schema.add("samples", \Track.samples)
      return schema.build()
    }()
  }
}

@Suite struct ReferrerTests {
  private let scene: Scene
  private let store: Store
  private let shelf = Music.Shelf.create()
  private let album = Music.Album.create()
  private let track = Music.Track.create()

  init() throws {
    scene = try Scene()
    store = try scene.open()
    album.tracks = [track]
    shelf.albums = [album]
    shelf.use(store)
  }

  @Test func `a child's link to its own owner lets both be deleted`() throws {
    try shelf.save()
    try shelf.delete(cascade: true)
    #expect(try store.read { _ in try Music.Album.count() } == 0)
    #expect(try store.read { _ in try Music.Track.count() } == 0)
  }

  @Test func `another link of a child's class keeps the object that it refers to`() throws {
    let other = Music.Album.create()
    let sampling = Music.Track.create()
    sampling.samples = Link(album)
    other.tracks = [sampling]
    other.use(store)
    try shelf.save()
    try other.save()
    try shelf.delete(cascade: true)
    #expect(try store.read { _ in try Music.Album.count() } == 2)
    #expect(try store.read { _ in try sampling.samples?.get().objectID } == album.objectID)
  }

  @Test func `of many objects, those that others refer to stay with all that they refer to`() throws
  {
    let many = (0..<40).map { _ in
      let album = Music.Album.create()
      album.tracks = [Music.Track.create(), Music.Track.create()]
      return album
    }
    let sampling = [many[3], many[38]].map { album in
      let track = Music.Track.create()
      track.samples = Link(album)
      return track
    }
    // A track of an album that goes refers to one that stays for another reason, and to one that goes, too.
    many[5].tracks[0].samples = Link(many[3])
    many[5].tracks[1].samples = Link(many[6])
    shelf.albums += many
    try shelf.save()
    for track in sampling {
      track.use(store)
      try track.save()
    }
    let plan = try shelf.deletionPlan()
    #expect(plan.count == 1 + 39 + 1 + 38 * 2)
    try shelf.delete(cascade: true)
    let left = try store.read { _ in try Music.Album.fetchAll().map(\.objectID) }
    #expect(Set(left) == [many[3].objectID, many[38].objectID])
    #expect(try store.read { _ in try Music.Track.count() } == 2 + 4)
  }

  /// Counts the searches of the catalog for the relationships that lead to an entity.
  private final class Searches: Sendable {
    private let count = Mutex(0)

    func note(_ event: TraceEvent) {
      guard case .statement(let sql) = event, sql.contains(#"p."target" = ?1"#) else { return }
      count.withLock { $0 += 1 }
    }

    /// How many there were since the last call.
    func take() -> Int {
      count.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  @Test func `deletes search the catalog once for each entity until the tables change`() throws {
    let searches = Searches()
    let traced = try TestStore { $0.trace = { searches.note($0) } }.store
    func deleteShelf() throws -> Int {
      let shelf = Music.Shelf.create()
      let album = Music.Album.create()
      album.tracks = [Music.Track.create()]
      shelf.albums = [album]
      shelf.use(traced)
      try shelf.save()
      _ = searches.take()
      try shelf.delete(cascade: true)
      return searches.take()
    }
    // Albums and tracks.
    #expect(try deleteShelf() == 2)
    #expect(try deleteShelf() == 0)
    try traced.write { try $0.execute("CREATE TABLE note (text text)") }
    #expect(try deleteShelf() == 2)
    #expect(try deleteShelf() == 0)
  }
}
