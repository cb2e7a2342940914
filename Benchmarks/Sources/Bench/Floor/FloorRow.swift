/// A class that is stored as one row, written out by hand.
///
/// The floor's loops are generic over it and called with concrete types only, so that the
/// compiler makes each loop anew for its class.
protocol FloorRow: AnyObject {
  static var table: String { get }
  /// The columns after `objectID`, in the order in which they are bound and read.
  static var columns: [String] { get }

  init(_ row: FloorStatement, _ cipher: FloorCipher) throws
  /// Binds the identifier at 1 and the columns from 2.
  func bind(to statement: FloorStatement, _ cipher: FloorCipher) throws
}

/// A row that the works on samples use.
protocol FloorSampleRow: FloorRow {
  /// The column that `update` changes.
  static var updated: String { get }

  init(_ values: SampleValues)
  /// Changes the updated column's property: a power by 1, a vin to the next one.
  func change(vin next: String)
  /// Binds the changed property at 1 and the identifier at 2.
  func bindChange(to statement: FloorStatement, _ cipher: FloorCipher) throws
  func add(to checksum: inout Checksum)
}

/// A car row, whose children the works on graphs attach.
protocol FloorCarRow: FloorRow {
  var objectID: Identifier { get }
  var engineID: Identifier? { get }
  var engine: FloorEngine? { get set }
  var wheels: [FloorWheel] { get set }

  init(_ values: GraphValues)
  func add(to checksum: inout Checksum)
}

extension FloorRow {
  static var insertSQL: String {
    let names = (["objectID"] + columns).map { "\"\($0)\"" }.joined(separator: ", ")
    let marks = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
    return "INSERT INTO \"\(table)\" (\(names)) VALUES (\(marks))"
  }

  /// The columns as a query names them, identifier first.
  static func selection(_ alias: String) -> String {
    (["objectID"] + columns).map { "\(alias).\"\($0)\"" }.joined(separator: ", ")
  }
}
