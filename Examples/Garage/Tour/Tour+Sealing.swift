import Foundation
import Nacre

extension Tour {
  /// Finds an owner by a sealed property.
  func search() throws {
    let plate = "VB-628-T"
    Page.step(
      5,
      "Find an owner by a sealed property",
      code: "try Owner.fetchOne(\\.plate, equals: \"\(plate)\")"
    )
    var owner: Owner?
    let duration = try ContinuousClock().measure {
      owner = try Owner.fetchOne(\.plate, equals: plate)
    }
    guard let owner else { throw MissingError(what: plate) }
    Page.item(
      "owner",
      "\(owner.name), found in \(duration.milliseconds) by a blind index of 16 bits"
    )
  }

  /// Shows one sealed property as it lies in the file, beside its plaintext.
  func showSealed(in store: Store) throws {
    let sql = "SELECT email FROM Owner WHERE objectID = ?"
    Page.step(
      6,
      "Look at a sealed property in the file",
      code: "try store.read { try $0.query(sql, owner.objectID) }"
    )
    guard let owner = try Owner.fetchOne() else { throw MissingError(what: "owner") }
    let rows = try store.read { try $0.query(sql, owner.objectID) }
    guard case .blob(let envelope)? = rows.first?.first, envelope.count > 45 else {
      throw MissingError(what: "envelope")
    }
    Page.item("sql", sql)
    Page.item("plaintext", owner.email)
    Page.item("in the file", "\(envelope.count) bytes, AES-256-GCM:")
    write("suite", envelope.prefix(1))
    write("key id", envelope.dropFirst().prefix(4))
    write("nonce", envelope.dropFirst(5).prefix(24))
    write("ciphertext", envelope.dropFirst(29).dropLast(16))
    write("tag", envelope.suffix(16))
    try search(for: owner.email)
  }

  /// Looks for a plaintext in the file, and for a plain value, which shows that the search finds.
  private func search(for plaintext: String) throws {
    let plain = "datsun 280-zx"
    guard workplace.databaseContains(plain) else { throw MissingError(what: plain) }
    if workplace.databaseContains(plaintext) { throw LeakError() }
    Page.item("searched", "garage.db and its log: '\(plain)', a plain property, is")
    Page.item("", "there; the plaintext above is not")
  }

  /// Writes one part of an envelope, 32 bytes a line.
  private func write(_ label: String, _ bytes: Data) {
    var rest = bytes
    var label = label
    while !rest.isEmpty {
      Page.item("  " + label, rest.prefix(32).hex)
      rest = rest.dropFirst(32)
      label = ""
    }
  }
}

/// The error of a sealed property whose plaintext lies in the file.
struct LeakError: Error, CustomStringConvertible {
  var description: String { "a sealed property's plaintext lies in the database's files" }
}
