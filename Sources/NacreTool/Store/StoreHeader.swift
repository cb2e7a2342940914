#if Tool
import NacreStore
import NacreUpkeep

/// The lines that a command prints about a store before it changes anything: which store it is and its contents.
struct StoreHeader {
  private let store: StoreDescription
  private let counts: KeyCounts

  /// Reads the store's description, and counts all sealed values by their keys.
  init(_ store: Store) throws {
    self.store = try store.inspect()
    counts = KeyCounts(try store.sealedCounts())
  }

  /// The header as the first event of a command that writes JSON.
  var event: EventObject {
    [
      "event": "start",
      "store": "\(store.storeID)",
      "path": store.path,
      "seals": store.seals,
      "entities": store.entities.map(entityObject),
      "keys": ((store.ring?.keys ?? []) + store.fileKeys).map(keyObject),
    ]
  }

  private func entityObject(_ entity: EntityDescription) -> EventObject {
    ["name": entity.name, "rows": entity.rowCount]
  }

  private func keyObject(_ key: KeyDescription) -> EventObject {
    [
      "id": "\(key.id)",
      "purpose": "\(key.purpose)",
      "suite": key.suite.name,
      "state": "\(key.state)",
      "values": counts[key.id],
    ]
  }

  var lines: [String] {
    var table = TextTable()
    table.add("Store", "\(store.storeID)")
    table.add("Path", store.path.visible)
    for (title, line) in titled("Entities", entities) + titled("Values", values) {
      table.add(title, line)
    }
    return table.lines(indent: 0) + [""]
  }

  private var entities: [String] {
    var table = TextTable(rightAligned: [1])
    for entity in store.entities {
      table.add(entity.name.visible, entity.rowCount.counted("row"))
    }
    return table.lines(indent: 0)
  }

  private var values: [String] {
    var table = TextTable(rightAligned: [0])
    // A key that is no longer primary matters only as long as values name it.
    let keys = (store.ring?.keys ?? []).filter { key in
      key.purpose == .field && (key.state == .primary || counts[key.id] > 0)
    }
    for key in keys {
      table.add("\(counts[key.id])", "under key \(key.id)", "\(key.suite.name), \(key.state)")
    }
    for key in counts.unknown(to: store.ring) {
      table.add("\(counts[key])", "under key \(key)", "which the store does not have")
    }
    if counts.unsealed > 0 { table.add("\(counts.unsealed)", "not sealed") }
    return table.lines(indent: 0)
  }

  private func titled(_ title: String, _ lines: [String]) -> [(String, String)] {
    guard let first = lines.first else { return [(title, "none")] }
    return [(title, first)] + lines.dropFirst().map { ("", $0) }
  }
}
#endif
