import NacreStore
import NacreUpkeep

/// The first event of each command that writes JSON: which store it works on, and the store's contents.
struct StartEvent: Encodable {
  let event = "start"
  let store: String
  let path: String
  let entities: [Entity]
  let keys: [Key]

  struct Entity: Encodable {
    let name: String
    let rows: Int
  }

  struct Key: Encodable {
    let id: String
    let purpose: String
    let suite: String
    let state: String
    let values: Int
  }

  init(_ description: StoreDescription, _ counts: KeyCounts) {
    store = "\(description.storeID)"
    path = description.path
    entities = description.entities.map { Entity(name: $0.name, rows: $0.rowCount) }
    keys = (description.ring?.keys ?? []).map { key in
      Key(
        id: "\(key.id)",
        purpose: "\(key.purpose)",
        suite: key.suite.name,
        state: "\(key.state)",
        values: counts[key.id]
      )
    }
  }
}
