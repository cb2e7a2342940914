#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Changes of keys, slots and tables whose connection is cut at messages as many steps apart as NACRE_CUTS says.
///
/// Whatever is left, another store finishes it.
@Suite(.enabled(if: Cut.reachesUpkeep, "script/check --cuts runs it")) struct UpkeepCutTests {
  private let directory: TemporaryDirectory
  private let proxy: ServerProxy
  private let url: String
  private let raw: PostgresConnection

  init() throws {
    (directory, proxy) = (try TemporaryDirectory(), try ServerProxy())
    url = try TestPlace.newSchema()
    raw = try TestServer.connect(to: url)
    try fill()
  }

  private func fill() throws {
    try another { store in
      try store.write { _ in
        for index in 0..<12 {
          let car = Car.create()
          (car.name, car.vin) = ("car \(index)", "VIN \(index)")
          try car.save()
          let vault = Vault.create()
          vault.label = "label \(index)"
          try vault.save()
        }
      }
    }
  }

  /// Makes the store anew, without all that former sessions have left.
  private func makeAnew() throws {
    try raw.execute(
      """
      DO $$ DECLARE name text := current_schema(); BEGIN \
      EXECUTE format('DROP SCHEMA %I CASCADE', name); EXECUTE format('CREATE SCHEMA %I', name); END $$
      """
    )
    try fill()
  }

  private func key(_ name: String) -> Unlock {
    .keyFile(directory.file(name), createIfMissing: true)
  }

  private func open(_ url: String, _ secret: String = "store.key") throws -> Store {
    try Store.open(url, unlock: key(secret), options: .patient)
  }

  /// Opens the store by the server itself, as another process would, and closes it after the body.
  @discardableResult
  private func another<T>(_ body: (Store) throws -> T) throws -> T {
    let store = try open(url)
    defer { #expect(throws: Never.self) { try store.close() } }
    return try body(store)
  }

  /// Runs work in a store whose connection is cut, between `begin` and `end`, beside an object with a change that is not
  /// saved.
  ///
  /// - Returns: What the work returns; nil if it has failed with the connection.
  private func cutOff<T>(
    _ number: Int,
    _ begin: () -> Void,
    _ end: () -> Int,
    _ work: (Store) throws -> T
  ) throws -> T? {
    let store = try open(proxy.url(url))
    defer { #expect(throws: Never.self) { try store.close() } }
    let car = try #require(
      try store.read { _ in try Car.where("name LIKE 'car 3%'").fetchAll().first }
    )
    let vin = car.vin
    car.name = "car 3, changed at \(number)"
    begin()
    let outcome = Result { try work(store) }
    let cuts = end()
    #expect(car.name == "car 3, changed at \(number)" && car.vin == vin && car.hasChanges)
    try raw.endLease()
    defer { if number % 2 == 0 { #expect(throws: Never.self) { try store.save([car]) } } }
    switch outcome {
    case .success(let value): return value
    case .failure(let error):
      #expect(Cut.isLoss(error) && cuts == 1, "cut at \(number): \(error)")
      return nil
    }
  }

  /// Expects that a store is as it was, but for its keys, and that no value is under an old one.
  private func expectWhole(_ store: Store, _ number: Int) throws {
    let report = try store.verify()
    #expect(report.isComplete && report.isSound, "cut at \(number): \(report.faults)")
    let vins = try store.read { _ in try Car.fetchAll().compactMap(\.vin) }
    #expect(Set(vins) == Set((0..<12).map { "VIN \($0)" }) && vins.count == 12)
  }

  // MARK: Keys

  private static let keyOfValues = """
    SELECT DISTINCT encode(substr("vin", 2, 4), 'hex') FROM "Car" WHERE "vin" IS NOT NULL
    """

  @Test(arguments: Cut.all)
  func `a rotation is finished by another store, and nothing is under the old key`(cut: Cut) throws
  {
    defer { proxy.close() }
    var options = RotationOptions()
    options.batchSize = 4
    options.vacuum = .never
    options.readerTimeout = 60
    try cut.goThrough(proxy, atLeast: 60, every: 700) { number, begin, end in
      let before = try raw.values(Self.keyOfValues)
      #expect(before.count == 1)
      let report = try cutOff(number, begin, end) { try $0.rotate(options) }
      if report == nil {
        let outcome = try another { try $0.rotate(options).outcome }
        #expect(outcome == .finished, "cut at \(number)")
      } else {
        #expect(report?.outcome == .finished)
      }
      try another { store in
        try expectWhole(store, number)
        let keys = try store.inspect().ring?.keys.filter { $0.purpose == .field } ?? []
        let after = try raw.values(Self.keyOfValues)
        #expect(after == keys.filter { $0.state == .primary }.map { Value.text("\($0.id)") })
        #expect(after != before, "cut at \(number)")
        #expect(
          keys.filter { $0.state != .primary }.allSatisfy {
            $0.state == .disabled || $0.state == .destroyed
          }
        )
        // Few keys keep each session alike.
        for key in keys where key.state == .disabled { try store.destroyKey(key.id) }
      }
    }
  }

  @Test(arguments: Cut.all)
  func `a rewrap is whole or has not begun`(cut: Cut) throws {
    defer { proxy.close() }
    let slot = "SELECT \"sealed\" FROM \"nacre_slot\""
    try cut.goThrough(proxy, atLeast: 8, every: 700) { number, begin, end in
      func state() throws -> (generation: UInt64?, slots: [Value]) {
        try another { (try $0.inspect().ring?.generation, try raw.values(slot)) }
      }
      let before = try state()
      let report = try cutOff(number, begin, end) {
        try $0.rewrap(keeping: [key("store.key")])
      }
      let after = try state()
      #expect((after.slots != before.slots) == (report != nil), "cut at \(number)")
      #expect((after.generation != before.generation) == (report != nil), "cut at \(number)")
      if report == nil { try another { _ = try $0.rewrap(keeping: [key("store.key")]) } }
      try another { try expectWhole($0, number) }
    }
  }

  @Test(arguments: Cut.all)
  func `a change of slots is whole or has not begun`(cut: Cut) throws {
    defer { proxy.close() }
    func slots() throws -> [Int64] { try another { try $0.slots().map(\.id) } }
    func opens(_ secret: String) -> Bool { (try? open(url, secret).close()) != nil }
    try cut.goThrough(proxy, atLeast: 20, every: 700) { number, begin, end in
      let (second, third) = ("second \(number).key", "third \(number).key")
      // Makes both files.
      for name in [second, third] { _ = try key(name).secret(true) }
      let reached = try cutOff(number, begin, end) { store in
        // How far it comes before the connection is cut.
        var reached = 0
        do {
          try store.addSlot(key(second))
          reached = 1
          try store.changeSlot(2, to: key(third))
          reached = 2
          try store.removeSlot(2)
          reached = 3
        } catch {
          guard Cut.isLoss(error) else { throw error }
        }
        return reached
      }
      let found = try (slots(), opens(second), opens(third))
      let expected: ([Int64], Bool, Bool)? =
        switch reached {
        case 0, 3: ([1], false, false)
        case 1: ([1, 2], true, false)
        case 2: ([1, 2], false, true)
        default: nil
        }
      #expect("\(found)" == expected.map { "\($0)" }, "cut at \(number)")
      try another { store in
        if found.0 == [1, 2] { try store.removeSlot(2) }
        try expectWhole(store, number)
      }
      #expect(try slots() == [1])
    }
  }

  // MARK: Values

  @Test(arguments: Cut.all)
  func `a conversion is finished by another store, whichever way it goes`(cut: Cut) throws {
    defer { proxy.close() }
    let sealed = SealedOptions(isSearchable: true)
    let type = """
      SELECT data_type FROM information_schema.columns WHERE table_name = 'Vault' AND column_name = 'label' \
      AND table_schema = current_schema()
      """
    let labels = (0..<12).map { "label \($0)" }
    var isSealed = false
    try cut.goThrough(proxy, atLeast: 60, every: 700) { number, begin, end in
      if number.isMultiple(of: 500) {
        // A table has no more than 1,600 columns, with those that were dropped.
        try makeAnew()
        isSealed = false
      }
      let form = isSealed ? nil : sealed
      let done = try cutOff(number, begin, end) { try $0.convert("label", of: "Vault", to: form) }
      try another { store in
        if done == nil {
          // It may have ended, or not have begun.
          try store.resumeConversions()
          try store.convert("label", of: "Vault", to: form)
        }
        #expect(try store.unfinishedConversions().isEmpty)
        try expectWhole(store, number)
        isSealed.toggle()
        #expect(try raw.values(type) == [.text(isSealed ? "bytea" : "text")], "cut at \(number)")
        if isSealed { return }
        let found = try store.read { _ in try Vault.fetchAll().map(\.label) }
        #expect(found.sorted() == labels.sorted())
      }
    }
  }

  @Test(arguments: Cut.all)
  func `a verification that is cut off has changed nothing`(cut: Cut) throws {
    defer { proxy.close() }
    var options = VerificationOptions()
    options.batchSize = 4
    try cut.goThrough(proxy, atLeast: 20, every: 700) { number, begin, end in
      let report = try cutOff(number, begin, end) { try $0.verify(options) }
      if let report { #expect(report.isComplete && report.isSound, "cut at \(number)") }
      try another { try expectWhole($0, number) }
    }
  }
}
#endif
