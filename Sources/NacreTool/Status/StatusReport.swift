#if Tool
import Foundation
import NacreStore
import NacreUpkeep

/// A store's state as lines of text.
struct StatusReport {
  let store: StoreDescription
  let counts: KeyCounts
  let work: StoreWork

  var lines: [String] {
    StoreReport(store).head
      + section("Keys", keys)
      + section("Slots", SlotList.table(store.slots).lines(indent: 2))
      + section("Entities", entities)
      + section("Rotation", rotation)
      + (work.conversions.isEmpty ? [] : section("Migrations", migrations))
      + (work.quarantinedCount == 0 ? [] : section("Quarantine", [quarantine]))
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    ["", title] + (lines.isEmpty ? ["  none"] : lines)
  }

  private var keys: [String] {
    KeyTable(ring: store.ring, fileKeys: store.fileKeys, counts: counts).lines(indent: 2)
  }

  /// A rotation of the file's key that was begun; no journal has it.
  private var fileRotation: [String] {
    guard store.fileKeys.contains(where: { $0.state == .enabled }) else { return [] }
    return [
      "  file, begun: pages may be under the former key", runner("nacre rotate --purpose file"),
    ]
  }

  private var rotation: [String] { fileRotation + ringRotation }

  private var ringRotation: [String] {
    guard let rotation = work.rotation, rotation.isOfKeys else { return [] }
    let kind = rotation.kind.visible
    if let finished = rotation.finished {
      let failed =
        rotation.failed == 0
        ? "" : ", incomplete: \(rotation.failed.counted("value")) did not open"
      return ["  last \(failed.isEmpty ? "finished" : "ended") \(finished.stamp): \(kind)\(failed)"]
    }
    let gauge = Gauge(
      activity: rotation.phase.visible,
      done: rotation.done,
      total: rotation.total,
      unit: "rows",
      remark: rotation.failed > 0
        ? rotation.failed.counted("does not open", "do not open") : ""
    )
    let width = Terminal.width(of: STDOUT_FILENO) ?? 80
    return [
      "  \(kind), begun \(rotation.started.stamp), last moved \(rotation.updated.stamp)",
      "  \(gauge.bar(width: min(40, width - 10)))",
      "  \(gauge.activity): \(gauge.words)",
      runner("nacre rotate"),
    ]
  }

  private var migrations: [String] {
    work.conversions.map { migration in
      "  \(migration.entity.visible).\(migration.property.visible), \(migration.phase.visible): "
        + "\(migration.done) of \(migration.total.counted("row"))"
    } + [
      runner("nacre migrate --resume"),
      "  until the migration is done, these entities can't be used",
    ]
  }

  /// Says which process works on it now, or else which command continues it.
  private func runner(_ command: String) -> String {
    work.runner.map { "  run now by \($0.visible)" }
      ?? "  not run now: '\(command)' goes on with it"
  }

  private var quarantine: String {
    "  \(work.quarantinedCount.counted("cell or row", "cells and rows")) set aside by 'nacre verify'"
  }

  private var entities: [String] {
    var table = TextTable(rightAligned: [1])
    for entity in store.entities {
      table.add(
        entity.name.visible,
        entity.rowCount.counted("row"),
        sealedWords(entity)
      )
    }
    return table.lines(indent: 2)
  }

  private func sealedWords(_ entity: EntityDescription) -> String {
    let names = entity.properties.filter(\.isSealed).map(\.name.visible)
    return names.isEmpty ? "" : "sealed: " + names.joined(separator: ", ")
  }
}

extension RotationState {
  /// Whether the work changes data keys, not the way a property is sealed.
  fileprivate var isOfKeys: Bool {
    kind.split(separator: "+").allSatisfy { word in KeyPurpose.allCases.contains { "\($0)" == word }
    }
  }
}
#endif
