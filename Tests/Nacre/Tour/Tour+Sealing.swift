import Foundation
import Nacre
import Testing

/// Sealed properties, and where keys come from.
extension DefaultStoreTests.Tour {
  @Test func `a sealed property lies in the file as an envelope`() throws {
    let (store, car, _) = try garage()
    // tour: sealed
    let rows = try store.read { database in
      try database.query("SELECT vin FROM Car WHERE objectID = ?", car.objectID)
    }
    // rows[0][0] is .blob of 63 bytes: 17 of the number, 1 for its type, 45 of the envelope

    do {
      _ = try Car.fetchAll(where: "vin = ?", "VFAA110A400000001")
    } catch let error as NacreError where error.code == .sealedCondition {
      // "A condition can't read a sealed property at Car.vin: …": loud, instead of no results
    }
    let without = try Car.count(where: "vin IS NULL")  // nil shows, unless the class hides it
    // end
    #expect(without == 0)
    guard case .blob(let envelope)? = rows.first?.first else {
      Issue.record("no envelope")
      return
    }
    #expect(envelope.count == 63)
    #expect(envelope.range(of: Data("VFAA110A400000001".utf8)) == nil)
    let error = #expect(throws: NacreError.self) { try Car.fetchAll(where: "vin = ?", "x") }
    #expect(error?.code == .sealedCondition)
    let message = try #require(error).description
    #expect(message.hasPrefix("A condition can't read a sealed property at Car.vin: "))
    try store.close()
  }

  @Test func `a sealed file shows neither names nor plain values`() throws {
    // tour: sealed file
    var options = StoreOptions()
    options.seals = .file  // makes a new file sealed, and refuses a plain one
    let sealed = try Store.open(
      directory + "/sealed.db",
      unlock: .keyFile(directory + "/sealed.key", createIfMissing: true),
      options: options
    )
    // end
    let car = Car.create()
    car.use(sealed)
    car.name = "Renault 4"
    try car.save()
    try expectNothingShown()
    try sealed.close()
    try expectNothingShown()
    let locked = #expect(throws: NacreError.self) { try Store.open(directory + "/sealed.db") }
    #expect(locked?.code == .storeLocked)
    let again = try Store.open(
      directory + "/sealed.db",
      unlock: .keyFile(directory + "/sealed.key")
    )
    #expect(try again.read { _ in try Car.count(where: "name = ?", "Renault 4") } == 1)
    try again.close()
  }

  /// Looks for a value, a column and a table in every file.
  private func expectNothingShown() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name))
      for text in ["Renault 4", "color", "nacre_store"] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) in \(name)")
      }
    }
  }

  @Test func `each source of a secret makes and opens a store`() throws {
    let digits = String(repeating: "7a", count: 32)
    let secret = directory + "/garage.hex"
    try Data(digits.utf8).write(to: URL(fileURLWithPath: secret))
    setenv("NACRE_TOUR_GARAGE", digits, 1)
    let keyService = KeyService()
    // tour: unlocking
    let sources: [Unlock] = [
      .keyFile(directory + "/garage.key", createIfMissing: true),  // made with mode 0600
      .environment("NACRE_TOUR_GARAGE"),  // 64 hex digits
      .command("cat '\(secret)'"),  // 64 hex digits on standard output
      .callback { try keyService.secret(named: "garage") },  // 32 bytes, as from a KMS
      .passphrase("correct horse battery staple"),  // stretched by scrypt
    ]
    // end
    for (index, source) in sources.enumerated() {
      let path = directory + "/\(index).db"
      for expected in 1...2 {
        let store = try Store.open(path, unlock: source)
        try store.write { _ in
          let person = Person.create()
          person.handle = "\(expected)"
          person.email = "ada@example.org"
          try person.save()
        }
        let emails = try store.read { _ in try Person.fetchValues(\.email) }
        #expect(emails.count == expected)
        try store.close()
      }
    }
    let error = #expect(throws: NacreError.self) {
      try Store.open(directory + "/0.db", unlock: sources[4])
    }
    #expect(error?.code == .wrongSecret)
  }

  @Test func `an application brings its own pair of hooks`() throws {
    let (store, car, _) = try garage()
    try car.delete(cascade: true)
    let module = Module()
    // tour: hooks
    let hooks = HookProvider(
      seal: { payload, place in try module.encrypt(payload, "\(place.entity).\(place.property)") },
      open: { stored, place in try module.decrypt(stored, "\(place.entity).\(place.property)") }
    )
    try store.install(hooks, for: \Car.vin)  // one property

    var options = StoreOptions()
    options.provider = hooks  // or every sealed property of a store
    let other = try Store.open(directory + "/other.db", options: options)
    // end
    for (store, sealsEmail) in [(store, false), (other, true)] {
      let (car, person) = (Car.create(), Person.create())
      car.use(store)
      car.vin = "VF1"
      car.owner = Link(person)
      person.handle = "new"
      person.email = "new@example.org"
      try car.save()
      try store.read { database in
        #expect(try Car.fetchOne()?.vin == "VF1")
        #expect(try Person.fetchOne(\.handle, equals: "new")?.email == "new@example.org")
        let stored = try database.query("SELECT vin FROM Car")
        #expect(stored == [[.blob(Data(try module.encrypt([3, 0x56, 0x46, 0x31], "Car.vin")))]])
        let email = try database.query("SELECT email FROM Person WHERE handle = 'new'")
        let expected = try module.encrypt([3] + Array("new@example.org".utf8), "Person.email")
        #expect((email == [[.blob(Data(expected))]]) == sealsEmail)
      }
    }
    try other.close()
    try store.close()
  }
}

/// What stands for a key management service.
private struct KeyService: Sendable {
  func secret(named name: String) throws -> SecretBytes {
    try Array(repeating: UInt8(name.utf8.count), count: 32).withUnsafeBytes {
      try SecretBytes(copying: $0)
    }
  }
}

/// What stands for a hardware module; it protects nothing.
private struct Module: Sendable {
  func encrypt(_ bytes: [UInt8], _ label: String) throws -> [UInt8] {
    Array(label.utf8) + bytes.map { $0 ^ 0x5A }
  }

  func decrypt(_ bytes: [UInt8], _ label: String) throws -> [UInt8] {
    guard bytes.starts(with: Array(label.utf8)) else { throw CocoaError(.coderInvalidValue) }
    return bytes.dropFirst(label.utf8.count).map { $0 ^ 0x5A }
  }
}
