import Foundation
import Nacre

extension Tour {
  /// Shows what the server has of an owner, and looks for values in its dump and its log.
  func show(_ server: GarageServer) throws {
    Page.step(
      7,
      "Look at the server: a row as psql shows it, pg_dump and the log",
      code: "psql -x -c 'SELECT * FROM \"Owner\"'; pg_dump; log_statement = all"
    )
    let row = try server.show("SELECT * FROM \"Owner\" LIMIT 1")
    for line in row.split(separator: "\n") { Page.line(shortened(line)) }
    Page.gap()
    try search(dump: server.dump(), log: server.log())
  }

  /// Looks for what is sealed, which nobody may find, and for what is not, which shows that the search finds.
  private func search(dump: Data, log: Data) throws {
    let owners = try Owner.fetchAll()
    for value in owners.flatMap({ [$0.name, $0.email, $0.plate] }) {
      guard count(value, dump) == 0, count(value, log) == 0 else { throw LeakError() }
    }
    let name = "chevrolet"
    let (dumped, logged) = (count(name, dump), count(name, log))
    guard count("\"Owner\"", log) > 0, dumped > 0, logged > 0 else {
      throw MissingError(what: name)
    }
    Page.item("searched", "pg_dump, and the log with each statement and its values:")
    Page.item("", "no name, email or plate of \(owners.count) owners is there")
    Page.item("", "'\(name)' is, in \(dumped) lines of the dump and \(logged) of the log:")
    Page.item("", "a car's name is a plain property, and lies open on a server")
  }

  /// The number of lines with a text.
  private func count(_ text: String, _ bytes: Data) -> Int {
    let (text, newline) = (Data(text.utf8), UInt8(ascii: "\n"))
    var (count, start) = (0, bytes.startIndex)
    while let found = bytes[start...].range(of: text) {
      count += 1
      start = bytes[found.upperBound...].firstIndex(of: newline) ?? bytes.endIndex
    }
    return count
  }

  private func shortened(_ line: Substring) -> String {
    line.count > Page.width - 3 ? line.prefix(Page.width - 4) + "…" : String(line)
  }
}
