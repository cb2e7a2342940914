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
    let sql = #"SELECT "email" FROM "Owner" WHERE "objectID" = ?"#
    Page.step(
      6,
      "Look at a sealed property, as it is in its column",
      code: "try store.read { try $0.query(sql, owner.objectID) }"
    )
    guard let owner = try Owner.fetchOne() else { throw MissingError(what: "owner") }
    let rows = try store.read { try $0.query(sql, owner.objectID) }
    guard case .blob(let envelope)? = rows.first?.first, envelope.count > 45 else {
      throw MissingError(what: "envelope")
    }
    Page.item("sql", sql)
    Page.item("plaintext", owner.email)
    Page.item("in the column", "\(envelope.count) bytes, AES-256-GCM:")
    write("suite", envelope.prefix(1))
    write("key id", envelope.dropFirst().prefix(4))
    write("nonce", envelope.dropFirst(5).prefix(24))
    write("ciphertext", envelope.dropFirst(29).dropLast(16))
    write("tag", envelope.suffix(16))
  }

  /// Shows the beginning of a page as it lies on the disk, beside what SQLite sees there.
  func showPage(of store: Store) throws {
    Page.step(
      7,
      "Look at a page of the sealed file",
      code: "options.seals = .file"
    )
    // The first page begins SQLite's own table of tables.
    let sql = "SELECT sql FROM sqlite_schema WHERE name = 'nacre_store'"
    let rows = try store.read { try $0.query(sql) }
    guard case .text(let table)? = rows.first?.first, let page = workplace.firstPage else {
      throw MissingError(what: "page 1")
    }
    Page.item("SQLite sees", String(table.split(separator: "\n").joined(separator: " ").prefix(60)))
    Page.item("on the disk", "page 1, XAES-256-GCM, with SQLite's header and all else:")
    write("begins with", page.prefix(64))
    write("its tag", page.dropLast(40).suffix(16))
    try searchFile()
  }

  /// Looks for a plain value in the file, and for the file's own mark, which shows that the search finds.
  private func searchFile() throws {
    let name = "chevrolet"
    let count = try Car.count(where: "name LIKE ?", "%\(name)%")
    guard workplace.databaseContains("NACRE"), count > 0 else { throw MissingError(what: name) }
    if workplace.databaseContains(name) { throw LeakError() }
    Page.item("searched", "garage.db and its log: '\(name)', a plain property of \(count) cars,")
    Page.item("", "is nowhere")
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

/// The error of a value that lies open where it has to be sealed.
struct LeakError: Error, CustomStringConvertible {
  var description: String { "a value lies open that has to be sealed" }
}
