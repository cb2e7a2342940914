#if Tool
import Foundation
import NacreStore
import NacreUpkeep

/// A store's description as lines of text.
struct StoreReport {
  private let store: StoreDescription

  init(_ store: StoreDescription) { self.store = store }

  var lines: [String] {
    head + section("Keys", keys) + section("Slots", slots)
      + ["", "Entities"] + store.entities.flatMap(entity)
  }

  /// The lines that identify the store.
  var head: [String] {
    var table = TextTable()
    table.add("Store", "\(store.storeID)")
    table.add("Path", store.path.visible)
    table.add("Format", "\(store.format)")
    table.add("Seals", store.seals)
    if let version = store.schemaVersion { table.add("Version", version.visible) }
    table.add("Ring", ring)
    if let anchor = store.anchor { table.add("Anchor", words(anchor)) }
    return table.lines(indent: 0)
  }

  private var ring: String {
    guard let ring = store.ring else { return "none" }
    return "generation \(ring.generation), "
      + (ring.isVerified ? "verified" : "not verified (no secret given)")
  }

  private func words(_ description: AnchorDescription) -> String {
    let state =
      switch description.state {
      case .verified: "verified"
      case .unverified: "not verified (no secret given)"
      case .tampered: "does not match its MAC"
      case .older: "less than one that was there before"
      }
    return "\(description.anchor.map(\.description) ?? "unreadable"), \(state)"
  }

  private func section(_ title: String, _ table: TextTable) -> [String] {
    ["", title] + table.lines(indent: 2)
  }

  private var keys: TextTable {
    var table = TextTable()
    for key in store.ring?.keys ?? [] {
      table.add(
        "\(key.id)",
        "\(key.purpose)",
        key.suite.name,
        "\(key.state)",
        key.created.stamp
      )
    }
    return table
  }

  private var slots: TextTable {
    var table = TextTable()
    for slot in store.slots { table.add("\(slot.id)", slot.kind.visible) }
    return table
  }

  private func entity(_ entity: EntityDescription) -> [String] {
    var properties = TextTable()
    for property in entity.properties {
      properties.add(
        property.name.visible,
        property.column == nil ? "-" : property.type.visible,
        property.kind.visible + (property.target.map { " of \($0.visible)" } ?? ""),
        [property.sealing.map(words), property.isDeclared ? nil : "(no longer declared)"]
          .compactMap { $0 }.joined(separator: " ")
      )
    }
    let head =
      "  \(entity.name.visible): table \(entity.table.visible), version \(entity.version), "
      + entity.rowCount.counted("row")
    return [head] + properties.lines(indent: 4)
  }

  /// How a property is sealed, without the settings that have their usual values.
  private func words(_ sealing: SealingDescription) -> String {
    if sealing.isHooked { return "sealed by the application's own provider" }
    var words = ["sealed"]
    if let suite = sealing.suite ?? defaultSuite { words[0] += " " + suite.name }
    if let index = sealing.index {
      words.append("index of \(index.bits) bits, \(index.normalizer.rawValue)")
      if index.isUnique { words.append("unique") }
    }
    if sealing.hidesNil { words.append("hides nil") }
    if sealing.padding != .none { words.append("padding \(sealing.padding.rawValue)") }
    return words.joined(separator: ", ")
  }

  /// The suite of properties that name none: the lowest suite that has a primary key.
  private var defaultSuite: Suite? {
    (store.ring?.keys ?? []).filter { $0.purpose == .field && $0.state == .primary }
      .map(\.suite).min { $0.rawValue < $1.rawValue }
  }
}
#endif
