#if Tool
import NacreStore
import NacreUpkeep

extension BadPage {
  /// How many are named; the others are only counted.
  private static let shownCount = 100

  /// The first bad pages as lines, and how many more there are.
  static func lines(_ pages: [BadPage], count: Int) -> [String] {
    let shown = pages.prefix(shownCount).map(\.description)
    let rest = count - shown.count
    return shown + (rest > 0 ? ["… and \(rest.counted("more bad page"))"] : [])
  }
}
#endif
