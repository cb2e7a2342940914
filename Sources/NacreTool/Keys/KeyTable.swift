#if Tool
import Foundation
import NacreStore
import NacreUpkeep

/// The data keys of a store, one a line, with a bar for the values under each.
struct KeyTable {
  private static let barWidth = 40
  /// The shortest useful bar.
  private static let narrowestBar = 4

  /// The keys; nil for a store that has none.
  let ring: RingDescription?
  /// The keys of a sealed file.
  let fileKeys: [KeyDescription]
  /// How many values are under each key.
  let counts: KeyCounts

  func lines(indent: Int) -> [String] {
    if rows.isEmpty { return [String(repeating: " ", count: indent) + "none"] }
    let plain = table(barWidth: 0).lines(indent: indent)
    let used = (plain.map(\.count).max() ?? 0) + 2
    let room = Terminal.width(of: STDOUT_FILENO).map { $0 - used } ?? Self.barWidth
    guard room >= Self.narrowestBar else { return plain }
    return table(barWidth: room).lines(indent: indent)
  }

  private func table(barWidth: Int) -> TextTable {
    var table = TextTable(rightAligned: [5, 6])
    table.add("key", "purpose", "suite", "state", "made", "age", "values")
    for row in rows {
      table.add(row.cells + [barWidth > 0 ? bar(row.count, width: barWidth) : ""])
    }
    return table
  }

  private func bar(_ count: Int, width: Int) -> String {
    guard count > 0, counts.highest > 0 else { return "" }
    let length = Double(count) / Double(counts.highest) * Double(width)
    return String(repeating: "█", count: max(1, Int(length)))
  }

  private var rows: [(cells: [String], count: Int)] {
    let known = ((ring?.keys ?? []) + fileKeys).map { key in
      let count = counts[key.id]
      // An index's tokens name no key, and pages are no values.
      let shown = key.purpose != .field && count == 0 ? "-" : "\(count)"
      let made = [key.created.stamp, key.created.age]
      return (
        cells: ["\(key.id)", "\(key.purpose)", key.suite.name, "\(key.state)"] + made + [shown],
        count: count
      )
    }
    let unknown = counts.unknown(to: ring).map { key in
      (cells: ["\(key)", "-", "-", "unknown", "-", "-", "\(counts[key])"], count: counts[key])
    }
    let unsealed = (
      cells: ["-", "-", "-", "not sealed", "-", "-", "\(counts.unsealed)"], count: counts.unsealed
    )
    return known + unknown + (counts.unsealed > 0 ? [unsealed] : [])
  }
}
#endif
