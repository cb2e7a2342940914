#if Tool
import NacreStore
import NacreUpkeep

/// The framing of a sealed file, as lines of text.
struct FramingLines {
  let report: FramingReport

  var lines: [String] {
    var table = TextTable()
    table.add("Store", "\(report.storeID)")
    table.add("Header", header)
    table.add("Slots", report.slots.map { "\($0.id) \($0.kind.visible)" }.joined(separator: ", "))
    table.add("Pages", "\(report.pageCount) of \(report.pageByteCount) bytes")
    table.add("Log", log)
    table.add(
      "Journal",
      report.journalByteCount == 0 ? "none" : report.journalByteCount.counted("byte")
    )
    return table.lines(indent: 0) + ["", "File keys"] + keys + [""]
  }

  private var header: String {
    let numbers = report.copies.compactMap(\.sequence).map(String.init)
    if numbers.count < 2 { return "one copy is whole, number \(numbers.joined())" }
    return report.copies.allSatisfy(\.isLikeOther)
      ? "both copies are whole and alike, number \(numbers[0])"
      : "both copies are whole, with the numbers \(numbers.joined(separator: " and "))"
  }

  private var log: String {
    guard let log = report.log else { return "none" }
    return "\(log.frameCount.counted("frame")), salts \(log.salts)"
  }

  private var keys: [String] {
    var table = TextTable(rightAligned: [2, 3])
    for use in report.keys {
      table.add(
        "\(use.key.id)",
        "\(use.key.state)",
        use.pageCount.counted("page"),
        use.frameCount.counted("frame")
      )
    }
    return table.lines(indent: 2)
  }
}
#endif
