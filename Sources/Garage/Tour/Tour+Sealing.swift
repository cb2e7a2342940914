import Foundation
import Nacre

extension Tour {
  /// Shows one sealed property as it lies in the file, beside its plaintext.
  func showSealed(in store: Store) throws {
    let sql = "SELECT email FROM Owner WHERE objectID = ?"
    Page.step(
      5,
      "Look at a sealed property in the file",
      code: "try store.read { try $0.query(\"\(sql)\", id) }"
    )
    guard let owner = try Owner.fetchOne() else { throw MissingError(what: "owner") }
    let rows = try store.read { try $0.query(sql, owner.objectID) }
    guard case .blob(let envelope)? = rows.first?.first, envelope.count > 45 else {
      throw MissingError(what: "envelope")
    }
    Page.item("plaintext", owner.email)
    Page.item("in the file", "\(envelope.count) bytes, AES-256-GCM:")
    write("suite", envelope.prefix(1))
    write("key id", envelope.dropFirst().prefix(4))
    write("nonce", envelope.dropFirst(5).prefix(24))
    write("ciphertext", envelope.dropFirst(29).dropLast(16))
    write("tag", envelope.suffix(16))
    let verdict = workplace.databaseContains(owner.email) ? "is" : "is not"
    Page.item("searched", "the plaintext \(verdict) in garage.db or its write-ahead log")
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
