import Foundation
import NacreStore
import NacreCrypto
import NacreEngine

extension Rotation {
  /// How the clearing ended.
  enum Clearing {
    case stopped
    /// A reader still holds an old state of the store.
    case held
    /// Done, with the obstacle that remains, if any.
    case cleared(RotationReport.Obstacle?)

    init(_ obstacle: LogObstacle) {
      self =
        switch obstacle {
        case .reader: .held
        case .stop: .stopped
        }
    }
  }

  /// Removes what the old field keys sealed from the log, and from the file's free pages and gaps.
  func clear() throws -> Clearing {
    if let obstacle = try emptyLog() { return Clearing(obstacle) }
    let ring = try store.keys.unlocked()
    let former = formerKeys(ring).filter { $0.purpose == .field }
    result.remnants = try countRemnants(of: former, besideCells: cellsMayNameFormerKeys)
    let isNeeded = options.vacuum == .whenNeeded && result.remnants > 0
    guard options.vacuum == .always || isNeeded else { return .cleared(nil) }
    guard report() == .goOn else { return .stopped }
    try store.withWriterForLong { try $0.connection.vacuum() }
    result.wasVacuumed = true
    if let obstacle = try emptyLog() { return Clearing(obstacle) }
    result.remnants = try countRemnants(of: former, besideCells: true)
    return .cleared(result.remnants > 0 ? .remnants : nil)
  }

  /// Whether the old envelopes that are still in the file may be all in cells, so that writing the file anew would
  /// remove none.
  ///
  /// The passes have resealed every value that they know and that opens. So mostly no cell names an old key any more,
  /// and looking through all cells to make sure would take a sixth of the rotation.
  private var cellsMayNameFormerKeys: Bool {
    options.vacuum == .never || journal.failed > 0 || !options.ignoredColumns.isEmpty
  }

  /// How many envelopes under old keys are in the file and its log; with `besideCells`, not counting those that rows
  /// still hold.
  private func countRemnants(of former: [KeyRecord], besideCells: Bool) throws -> Int {
    if former.isEmpty || !store.engine.capabilities.contains(.rawFile) { return 0 }
    let heads = former.map { key in
      [key.suite.rawValue] + withUnsafeBytes(of: key.id.rawValue.bigEndian) { Array($0) }
    }
    return try store.withReader { database in
      let connection = database.connection
      var search = PatternSearch(heads)
      for file in RawFile.allCases {
        search.begin()
        try store.engine.readRaw(file, under: connection) { search.feed($0) }
      }
      if search.count == 0 || !besideCells { return search.count }
      // Envelopes in cells are no remnants; `retire` looks at those. In JSON an envelope has other bytes, which the
      // search did not count.
      let held = try KeySearch(former, on: connection).uses().filter { !$0.isJSON }
      return max(0, search.count - held.reduce(0) { $0 + $1.count })
    }
  }
}
