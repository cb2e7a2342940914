import NacreStore

/// Options for verifying a store.
public struct VerificationOptions: Sendable {
  /// The largest number of rows read from one state of the store; a batch also ends after 64 MiB of sealed values.
  public var batchSize = 10_000
  /// How many bad cells the report holds at most; the callback gets all of them.
  public var badCellLimit = 1_000
  /// How many bad pages of a sealed file the report holds at most.
  public var badPageLimit = 1_000
  /// The entities to verify; nil is all.
  public var entities: [String]?

  /// The usual options.
  public init() {}
}

/// How far a verification has come.
public struct VerificationProgress: Sendable {
  /// The things that a verification goes through, one after the other.
  public enum Unit: String, Sendable, CaseIterable {
    /// The pages of a sealed file.
    case pages
    /// The rows of the tables.
    case rows
  }

  /// The unit in which progress is counted.
  public let unit: Unit
  /// The entity of the rows that were checked last; nil while pages are read.
  public let entity: String?
  /// How many pages or rows were checked, including the rows of relationships.
  public let done: Int
  /// How many there were at the beginning.
  public let total: Int
  /// How many bad cells were found.
  public let badCellCount: Int
  /// How many pages of a sealed file, and frames of its log, were found that do not open.
  public let badPageCount: Int
}

/// The findings of a verification.
public struct VerificationReport: Sendable, Codable {
  /// The results for each sealed property's values, by entity and property.
  public internal(set) var properties: [PropertyVerification] = []
  /// The sealed properties that were left out, and why.
  public internal(set) var skipped: [SkippedProperty] = []
  /// The faults outside the cells.
  public internal(set) var faults: [StoreFault] = []
  /// Findings that need not be faults, or that nobody can judge.
  public internal(set) var notices: [StoreFault] = []
  /// The first bad cells, as many as the options allow.
  public internal(set) var badCells: [BadCell] = []
  /// How many bad cells there are.
  public internal(set) var badCellCount = 0
  /// The first pages of a sealed file, and frames of its log, that do not open, as many as the options allow.
  public internal(set) var badPages: [BadPage] = []
  /// How many pages and frames do not open.
  public internal(set) var badPageCount = 0
  /// How many pages of a sealed file were read; 0 if the file is not sealed.
  public internal(set) var pageCount = 0
  /// How many committed frames of a sealed file's log were read.
  public internal(set) var frameCount = 0
  /// How many objects were checked.
  public internal(set) var rowCount = 0
  /// How many references were followed: columns that are not NULL, and rows of relationships.
  public internal(set) var referenceCount = 0
  /// Whether everything was checked; false if `progress` stopped the verification, or a bad page was in the way.
  public internal(set) var isComplete = false
  /// How long it took, in seconds.
  public internal(set) var duration = 0.0

  /// Whether everything was checked and nothing is wrong.
  public var isSound: Bool {
    isComplete && badPageCount == 0 && badCellCount == 0 && faults.isEmpty
  }
  /// How many sealed values were opened and are sound.
  public var openedCount: Int { properties.reduce(0) { $0 + $1.openedCount } }
  /// How many cells of sealed properties are nil.
  public var nilCount: Int { properties.reduce(0) { $0 + $1.nilCount } }

  /// Throws if the store is not sound.
  ///
  /// - Throws: ``NacreError`` with code `unsound`, which names the first finding; `interrupted` if the verification
  ///   was stopped and has found nothing.
  public func requireSound() throws {
    if badPageCount > 0 {
      let first = badPages.first.map { "\($0); " } ?? ""
      throw NacreError(
        .unsound,
        detail: first + "\(badPageCount.counted("page does", "pages do")) not open"
      )
    }
    if let fault = faults.first { throw NacreError(.unsound, detail: "\(fault)") }
    if let cell = badCells.first {
      throw NacreError(
        .unsound,
        entity: cell.entity,
        property: cell.property,
        objectID: cell.rowID == nil ? cell.objectID : nil,
        detail: (cell.rowID.map { "row \($0): " } ?? "")
          + "\(cell.fault.rawValue); \(badCellCount) bad cells in all"
      )
    }
    if badCellCount > 0 { throw NacreError(.unsound, detail: "\(badCellCount) bad cells") }
    if !isComplete { throw NacreError(.interrupted) }
  }
}

/// The results for one sealed property's values.
public struct PropertyVerification: Sendable, Codable, Equatable {
  /// The entity.
  public let entity: String
  /// The property.
  public let property: String
  /// How many values opened and are sound, by the key that they name, in 8 hex digits.
  public internal(set) var openedByKey: [String: Int] = [:]
  /// How many cells are nil, including hidden ones.
  public internal(set) var nilCount = 0
  /// How many cells are NULL although the property hides its nils: they may be older than that setting.
  public internal(set) var unsealedNilCount = 0
  /// How many cells are bad.
  public internal(set) var badCount = 0
  /// How many blind indexes are right, but under another index key than the primary one, as during an index rotation.
  public internal(set) var underOtherKeys = 0

  /// How many values were opened and are sound.
  public var openedCount: Int { openedByKey.values.reduce(0, +) }
}

/// A sealed property whose values a verification leaves alone.
public struct SkippedProperty: Sendable, Codable, Hashable {
  /// The entity.
  public let entity: String
  /// The property.
  public let property: String
  /// Why it is left out.
  public let reason: Reason

  /// Why a property is left out.
  public enum Reason: String, Sendable, Codable {
    /// The application's own provider seals it, and only that provider can open it.
    case hooked
    /// Its rows are being converted: some are sealed already, and some are not yet.
    case converting
  }
}
