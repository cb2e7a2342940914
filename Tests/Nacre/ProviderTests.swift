import Foundation
import Nacre
import Synchronization
import Testing
import TestSupport

/// Providers that seal and open in place of the key ring.
@Suite struct ProviderTests {
  /// A provider that reverses bytes and notes where it was asked to.
  private final class Mirror: CryptProvider {
    struct Call: Hashable {
      var direction: String
      var entity: String
      var property: String
      var objectID: UUID
    }

    private let noted = Mutex<[Call]>([])
    private let mark: UInt8

    init(mark: UInt8) { self.mark = mark }

    /// The calls since the last time.
    func calls() -> [Call] {
      noted.withLock { calls in
        defer { calls = [] }
        return calls
      }
    }

    func seal(_ payload: [UInt8], in context: SealingContext) throws -> [UInt8] {
      note("seal", context)
      return [mark] + payload.reversed()
    }

    func open(_ sealed: [UInt8], in context: SealingContext) throws -> [UInt8] {
      note("open", context)
      guard sealed.first == mark else { throw Refusal() }
      return sealed.dropFirst().reversed()
    }

    private func note(_ direction: String, _ context: SealingContext) {
      var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: context.objectID) }
      let call = Call(
        direction: direction,
        entity: context.entity,
        property: context.property,
        objectID: UUID(uuid: uuid)
      )
      noted.withLock { $0.append(call) }
    }
  }

  private struct Refusal: Error {}

  private func safebox(_ store: Store) -> Safebox {
    let box = Safebox.create()
    box.use(store)
    box.label = "left"
    box.code = 1234
    box.content = "gold"
    return box
  }

  private func fetch(_ box: Safebox, in store: Store) throws -> Safebox {
    try #require(try store.read { _ in try Safebox.fetch(id: box.objectID) })
  }

  /// What lies in the columns `code` and `content`.
  private func stored(_ store: Store) throws -> [Value] {
    try store.read { try #require($0.query("SELECT code, content FROM \"Safebox\"").first) }
  }

  // MARK: - One property

  @Test func `a provider of one property seals it and leaves the others to the key ring`() throws {
    let test = try TestStore()
    let mirror = Mirror(mark: 9)
    try test.store.install(mirror, for: \Safebox.content)
    let box = safebox(test.store)
    try box.save()
    let columns = try stored(test.store)
    // Type 3 is TEXT, in front of the value before it was reversed.
    #expect(columns[1] == .blob(Data([9] + Array("dlog".utf8) + [3])))
    guard case .blob(let code) = columns[0] else { throw Refusal() }
    #expect(code.first == 1 && code.count == 45 + 9)
    let found = try fetch(box, in: test.store)
    #expect(found.content == "gold" && found.code == 1234)
    let place = (entity: "Safebox", property: "content", objectID: box.objectID)
    #expect(
      mirror.calls()
        == ["seal", "open"].map {
          Mirror.Call(
            direction: $0,
            entity: place.entity,
            property: place.property,
            objectID: place.objectID
          )
        }
    )
  }

  @Test func `a provider is asked for its entity alone, and never for nil`() throws {
    let test = try TestStore()
    let mirror = Mirror(mark: 9)
    try test.store.install(mirror, for: \Safebox.content)
    let (box, drawer) = (safebox(test.store), Drawer.create())
    box.content = nil
    drawer.content = "socks"
    try box.save()
    try test.store.write { _ in try drawer.save() }
    #expect(try fetch(box, in: test.store).content == nil)
    #expect(try stored(test.store)[1] == .null)
    #expect(mirror.calls().isEmpty)
  }

  @Test func `a provider that is installed after first use seals and opens from then on`() throws {
    let test = try TestStore()
    let before = safebox(test.store)
    try before.save()
    _ = try fetch(before, in: test.store)
    let first = Mirror(mark: 4)
    try test.store.install(first, for: \Safebox.content)
    // What the key ring has sealed is not the provider's.
    #expect(throws: Refusal.self) { try fetch(before, in: test.store) }
    before.content = "silver"
    try before.save()
    #expect(try fetch(before, in: test.store).content == "silver")
    #expect(Set(first.calls().map(\.direction)) == ["seal", "open"])
    let second = Mirror(mark: 5)
    try test.store.install(second, for: \Safebox.content)
    #expect(throws: Refusal.self) { try fetch(before, in: test.store) }
    before.content = "tin"
    try before.save()
    #expect(try fetch(before, in: test.store).content == "tin")
    #expect(first.calls().isEmpty)
  }

  @Test func `a provider that is installed inside a write is asked by the next save`() throws {
    let test = try TestStore()
    let mirror = Mirror(mark: 7)
    let box = safebox(test.store)
    try test.store.write { (_) throws in
      try box.save()
      try test.store.install(mirror, for: \Safebox.code)
      box.code = 5
      try box.save()
      #expect(try Safebox.fetch(id: box.objectID)?.code == 5)
    }
    #expect(mirror.calls().map(\.property) == ["code", "code"])
  }

  @Test func `only a sealed property takes a provider`() throws {
    let test = try TestStore()
    let mirror = Mirror(mark: 9)
    for install in [
      { try test.store.install(mirror, for: \Safebox.label) },
      { try test.store.install(mirror, for: \Safebox.objectID) },
      { try test.store.install(mirror, for: \Car.engine) },
    ] {
      let error = #expect(throws: NacreError.self) { try install() }
      #expect(error?.code == .noSuchProperty)
    }
  }

  // MARK: - The whole store

  @Test func `a provider of the whole store seals every property, without a key ring`() throws {
    let mirror = Mirror(mark: 8)
    let test = try TestStore(isSealed: false) { $0.provider = mirror }
    let (box, drawer) = (safebox(test.store), Drawer.create())
    drawer.content = "socks"
    try box.save()
    try test.store.write { _ in try drawer.save() }
    let places = mirror.calls().map { "\($0.direction) \($0.entity).\($0.property)" }
    #expect(
      Set(places) == ["seal Safebox.code", "seal Safebox.content", "seal Drawer.content"]
    )
    #expect(places.count == 3)
    let found = try fetch(box, in: test.store)
    #expect(found.code == 1234 && found.content == "gold")
    let values = try test.store.read { _ in try Drawer.fetchValues(\.content) }
    #expect(values == ["socks"])
    #expect(Set(mirror.calls().map(\.objectID)) == [box.objectID, drawer.objectID])
    let keys = try test.store.read { try $0.query("SELECT count(*) FROM nacre_key") }
    #expect(keys == [[0]])
  }

  @Test func `a provider of one property comes before that of the store`() throws {
    let (whole, one) = (Mirror(mark: 8), Mirror(mark: 9))
    let test = try TestStore { $0.provider = whole }
    try test.store.install(one, for: \Safebox.content)
    let box = safebox(test.store)
    try box.save()
    #expect(whole.calls().map(\.property) == ["code"])
    #expect(one.calls().map(\.property) == ["content"])
  }

  @Test func `an added sealed property gets its default from the provider`() throws {
    let test = try TestStore()
    try test.store.write { _ in try V1.Truck.create().save() }
    let mirror = Mirror(mark: 6)
    try test.store.install(mirror, for: \V2.Truck.secret)
    let secrets = try test.store.read { _ in try V2.Truck.fetchValues(\.secret) }
    #expect(secrets == ["nobody knows"])
    #expect(mirror.calls().map(\.direction) == ["seal", "open"])
  }

  // MARK: - Hooks

  @Test func `hooks are a provider of two closures`() throws {
    let test = try TestStore()
    let hooks = HookProvider(
      seal: { payload, context in Array("\(context.entity).\(context.property):".utf8) + payload },
      open: { sealed, context in
        Array(sealed.dropFirst("\(context.entity).\(context.property):".utf8.count))
      }
    )
    try test.store.install(hooks, for: \Safebox.content)
    let box = safebox(test.store)
    try box.save()
    #expect(try stored(test.store)[1] == .blob(Data("Safebox.content:\u{3}gold".utf8)))
    #expect(try fetch(box, in: test.store).content == "gold")
  }

  @Test func `a hook that throws while sealing fails the save, and nothing is stored`() throws {
    let test = try TestStore()
    let hooks = HookProvider(seal: { _, _ in throw Refusal() }, open: { sealed, _ in sealed })
    try test.store.install(hooks, for: \Safebox.content)
    let (box, other) = (safebox(test.store), safebox(test.store))
    other.content = nil
    #expect(throws: Refusal.self) {
      try test.store.write { _ in
        try other.save()
        try box.save()
      }
    }
    #expect(throws: Refusal.self) { try box.save() }
    #expect(!box.isStored && !other.isStored && box.hasChanges)
    #expect(try test.store.read { _ in try Safebox.count() } == 0)
    try other.save()
    other.content = "late"
    #expect(throws: Refusal.self) { try other.save() }
    #expect(other.hasChanges)
    #expect(try fetch(other, in: test.store).content == nil)
  }

  @Test func `a hook that throws while opening fails the fetch and no other`() throws {
    let test = try TestStore()
    let box = safebox(test.store)
    try box.save()
    let hooks = HookProvider(seal: { payload, _ in payload }, open: { _, _ in throw Refusal() })
    try test.store.install(hooks, for: \Safebox.content)
    try test.store.read { (_) throws in
      #expect(throws: Refusal.self) { try Safebox.fetchAll() }
      #expect(throws: Refusal.self) { try Safebox.fetchValues(\.content) }
      #expect(throws: Refusal.self) { try Safebox.cursor().next() }
      #expect(try Safebox.fetchValues(\.label, \.code).map(\.1) == [1234])
    }
  }

  @Test(arguments: [[], [3], [1, 0, 0], [7], [1, 0, 0, 0, 0, 0, 0, 0, 1, 0]] as [[UInt8]])
  func `a hook's payload that is no value of the property is refused`(_ payload: [UInt8]) throws {
    let test = try TestStore()
    let box = safebox(test.store)
    try box.save()
    let hooks = HookProvider(seal: { payload, _ in payload }, open: { _, _ in payload })
    try test.store.install(hooks, for: \Safebox.code)
    let error = #expect(throws: NacreError.self) { try fetch(box, in: test.store) }
    #expect(error?.code == .wrongSealedType)
    #expect(error?.entity == "Safebox" && error?.property == "code")
    #expect(error?.objectID == box.objectID)
  }
}
