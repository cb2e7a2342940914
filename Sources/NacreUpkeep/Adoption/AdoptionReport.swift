/// The report of an adoption: the rows that it stored, and those of the file that did not fit.
public struct AdoptionReport: Sendable, Codable, Equatable {
  /// How many rows were stored, by the entity or the record's table.
  public internal(set) var objects: [String: Int] = [:]
  /// How many rows of to-many relationships were stored.
  public internal(set) var joinCount = 0
  /// What did not fit, by table, column and reason, in the order in which it was found.
  public internal(set) var misfits: [AdoptionMisfit] = []
  /// Whether nothing was stored, because the call only asked what does not fit.
  public internal(set) var isDryRun = false

  /// How many rows were stored in all, without those of relationships.
  public var objectCount: Int { objects.values.reduce(0, +) }
  /// How often something did not fit.
  public var misfitCount: Int { misfits.reduce(0) { $0 + $1.count } }

  /// Counts a row that does not fit.
  mutating func note(_ fault: AdoptionFault, table: String, row: Int64) {
    let known = misfits.firstIndex { misfit in
      misfit.table == table && misfit.column == fault.column && misfit.reason == fault.reason
    }
    let place = known ?? misfits.endIndex
    if known == nil {
      misfits.append(AdoptionMisfit(table: table, column: fault.column, reason: fault.reason))
    }
    misfits[place].count += 1
    if misfits[place].rows.count < AdoptionMisfit.rowLimit { misfits[place].rows.append(row) }
  }
}

/// Rows of one table of a foreign file that do not fit for the same reason; it never holds a value.
public struct AdoptionMisfit: Sendable, Codable, Equatable {
  /// How many rows are named.
  static let rowLimit = 10

  /// The table in the foreign file.
  public let table: String
  /// The column; several are separated by commas, and nil stands for the whole row.
  public let column: String?
  /// Why the rows do not fit.
  public let reason: Reason
  /// How many rows do not fit for this reason.
  public internal(set) var count = 0
  /// The first ten of the rows, by the number that the engine gives each row of the table.
  ///
  /// Where it gives none, they are counted from 1 in the table's order.
  public internal(set) var rows: [Int64] = []

  init(table: String, column: String?, reason: Reason) {
    self.table = table
    self.column = column
    self.reason = reason
  }

  /// Why a row does not fit.
  public enum Reason: String, Sendable, Codable, CaseIterable {
    /// The value does not have the type of its property, or not the form that the mapping says.
    case wrongType
    /// There is no value, and the property can't be nil.
    case missingValue
    /// The value is a text that is not UTF-8.
    case brokenText
    /// The value is larger than 256 MiB.
    case tooLarge
    /// An objectID can't be made of the key.
    case badKey
    /// An object with the same objectID is stored, or another row has the same key.
    case duplicateKey
    /// The property is unique, and another object has the same value.
    case duplicateValue
    /// The object that the row refers to is neither in the file nor in the store.
    case danglingReference
    /// The position in a list is not a whole number from 0 on, or another element has it.
    case badPosition

    /// The reason in words that continue a sentence about a value.
    package var words: String {
      switch self {
      case .wrongType: "the value does not have the type of its property"
      case .missingValue: "there is no value, and the property can't be nil"
      case .brokenText: "the text is not UTF-8"
      case .tooLarge: "the value is larger than 256 MiB"
      case .badKey: "no objectID can be made of the key"
      case .duplicateKey: "an object with this key is stored already"
      case .duplicateValue: "another object has the same value"
      case .danglingReference: "the object that it refers to is not there"
      case .badPosition: "the position in the list is taken or not possible"
      }
    }
  }
}

/// What to do with rows of a foreign file that do not fit.
public enum MisfitTreatment: String, Sendable, CaseIterable {
  /// Adopts nothing at all.
  case refuse
  /// Leaves such rows out, and the report names them; a reference that leads nowhere becomes nil.
  case leaveOut
  /// Adopts nothing, and the report names all such rows: a dry run.
  case list
}

/// How far an adoption is.
public struct AdoptionProgress: Sendable, Equatable {
  /// The table of the foreign file whose rows are being read.
  public let table: String
  /// How many of its rows were read.
  public let done: Int
  /// How many rows it has.
  public let total: Int
  /// How often something has not fitted so far.
  public let misfitCount: Int
}

/// Why a row can't be adopted, before its table and its number are known.
struct AdoptionFault: Error {
  var reason: AdoptionMisfit.Reason
  var column: String?

  init(_ reason: AdoptionMisfit.Reason, column: String? = nil) {
    self.reason = reason
    self.column = column
  }
}
