import Foundation
import NacreCore
import NacreOpen

/// A store of samples as a plain file or as a sealed one, and the works on it.
final class Twin {
  /// Where the store's file is.
  let path: String
  private let seals: StoreOptions.Seals
  private let values: [SampleValues]
  private let identifiers: [UUID]
  private let powers: Int
  private var store: Store?
  private var objects: [Sample] = []

  /// Makes the twin of one kind in `directory`, before there is a file.
  init(_ seals: StoreOptions.Seals, _ values: [SampleValues], in directory: String) {
    path = "\(directory)/\(seals).db"
    self.seals = seals
    self.values = values
    var random = SeededGenerator(seed: 5)
    identifiers = values.shuffled(using: &random).prefix(20_000).map(\.objectID.uuid)
    powers = values.reduce(0) { $0 + $1.power }
  }

  /// How many objects ``fetchByID()`` fetches.
  var fetchCount: Int { identifiers.count }

  // MARK: - Before the clock runs

  /// Makes a fresh file with the empty table, and the objects in memory.
  func renew() throws {
    try close()
    if Store.exists(at: path) { try Store.delete(at: path) }
    try opened().write { _ in _ = try Sample.count() }
    objects = values.map { Sample.make($0) }
  }

  /// Closes the store, which empties its log, and opens it again: no page is in its cache.
  func reopen() throws {
    try close()
    try opened().read { try $0.execute("SELECT 1") }
  }

  /// Sets how much of the file a reader keeps, and lets it read as much; nil leaves it as it is.
  func warm(cacheKibibytes: Int?) throws {
    if let cacheKibibytes {
      try opened().read { try $0.execute("PRAGMA cache_size = -\(cacheKibibytes)") }
    }
    _ = try fetchByID()
  }

  /// Makes objects that are new.
  func makeMore(_ count: Int) {
    objects = values.prefix(count).map { values in
      let sample = Sample.create()
      (sample.name, sample.color, sample.power) = (values.name, values.color, values.power)
      (sample.weight, sample.year) = (values.weight, values.year)
      return sample
    }
  }

  /// Closes the store, if it is open.
  func close() throws {
    objects = []
    try store?.close()
    store = nil
  }

  private func opened() throws -> Store {
    if let store { return store }
    var options = StoreOptions()
    options.seals = seals
    // With one reader, the one whose cache was set is the one that reads.
    (options.readerLimit, options.maximumReaderCount) = (1, 1)
    let unlock = Unlock.keyFile(path + ".key", createIfMissing: true)
    let store = try Store.open(path, unlock: unlock, options: options)
    self.store = store
    return store
  }

  // MARK: - Works

  /// Stores the objects in one transaction.
  func insert() throws -> Int {
    try opened().write { _ in for object in objects { try object.save() } }
    return objects.count
  }

  /// Stores the objects, each in a transaction of its own.
  func commitEach() throws -> Int {
    let store = try opened()
    for object in objects { try store.write { _ in try object.save() } }
    return objects.count
  }

  /// Reads every page of the table, and little else.
  func sum() throws -> Int {
    let sum = try opened().read { try $0.value("SELECT sum(power) FROM Sample", as: Int.self) }
    return sum == powers ? values.count : 0
  }

  /// Fetches all as objects.
  func fetchAll() throws -> Int { try opened().read { _ in try Sample.fetchAll().count } }

  /// Fetches one object after another, in an order that has nothing to do with the file's.
  func fetchByID() throws -> Int {
    let store = try opened()
    return try identifiers.indices.count { index in
      try store.read { _ in try Sample.fetch(id: identifiers[index]) } != nil
    }
  }
}
