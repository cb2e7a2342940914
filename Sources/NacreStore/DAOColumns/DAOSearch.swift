import NacreCrypto
import NacreEngine

/// A search of the application's own tables for a DAO's sealed values in columns that the catalog
/// does not have.
///
/// SQL alone skips values that name none of the keys. Every other value is opened under each class
/// and property that the catalog knows, because a column has to hold values of one of them.
package struct DAOSearch {
  /// SQLite limits the depth of a condition.
  private static let columnsAtOnce = 100

  private let connection: any EngineConnection
  private let keys: [KeyID]
  private let opener: PlaceOpener
  /// The columns in the catalog, by table.
  private let known: [SQLName: [SQLName: DAOPlace]]

  /// Prepares a search for values under some keys.
  ///
  /// - Parameters:
  ///   - keys: The keys; those that are not for fields are skipped, because they seal nothing.
  ///   - ring: The ring that opens the values.
  ///   - table: The only table that will be searched; nil for all tables.
  ///   - connection: A connection in a transaction.
  /// - Throws: `lengthTooLarge` for a name in the catalog that is too long.
  package init(
    naming keys: [KeyRecord],
    ring: KeyRing,
    table: String? = nil,
    on connection: any EngineConnection
  ) throws {
    self.connection = connection
    self.keys = keys.filter { $0.purpose == .field }.map(\.id)
    opener = try PlaceOpener(DAOPlace.known(on: connection), ring: ring)
    var known: [SQLName: [SQLName: DAOPlace]] = [:]
    for noted in try NotedDAOColumn.all(of: table, on: connection) where noted.isInFile {
      guard let column = noted.column else { continue }
      known[SQLName(noted.table), default: [:]][SQLName(column)] = noted.place
    }
    self.known = known
  }

  /// Returns the columns of all tables that hold such values and are not in the catalog.
  package func strays() throws -> [DAOStray] {
    if keys.isEmpty { return [] }
    return try connection.applicationTables().flatMap { table in
      let known = known[SQLName(table), default: [:]]
      return try strays(in: table) { known[SQLName($0)] == nil }
    }
  }

  /// Returns the columns of one table that hold such values, including columns that the catalog has
  /// for another class or property.
  func strays(ofUpgraded table: String) throws -> [DAOStray] {
    if keys.isEmpty { return [] }
    let known = known[SQLName(table), default: [:]]
    return try strays(in: table) { column in
      guard let place = known[SQLName(column)] else { return true }
      let sql = DAOSQL.envelope(
        table: table,
        column: column,
        keys: keys,
        connection.dialect
      )
      var isOther = false
      try connection.each(sql, []) { row in
        guard let sealed = row.bytes(at: 0) else { return }
        isOther = try opener.place(of: sealed, first: place) != place
      }
      return isOther
    }
  }

  private func strays(
    in table: String,
    where isWanted: (String) throws -> Bool
  ) throws -> [DAOStray] {
    let wanted = try connection.columnNames(of: table).filter(isWanted)
    return try wanted.parts(of: DAOSearch.columnsAtOnce).flatMap { try strays(in: table, $0) }
  }

  private func strays(in table: String, _ columns: [String]) throws -> [DAOStray] {
    var found: FoundTable?
    var tallies = columns.map { _ in Tally() }
    let sql = DAOSQL.envelopes(
      table: table,
      columns: columns,
      keys: keys,
      connection.dialect
    )
    try connection.each(sql, []) { row in
      // Look the table up only here, because few tables hold such values.
      if found == nil { found = try FoundTable(table, on: connection) }
      for index in columns.indices {
        guard let sealed = row.bytes(at: Int32(index)) else { continue }
        // If no rotation reaches the table, the class and property of its values do not matter.
        let isInReach = found?.refusal == nil
        tallies[index].note(
          isInReach ? try opener.place(of: sealed, first: tallies[index].last) : nil
        )
      }
    }
    guard let found else { return [] }
    return try zip(columns, tallies).compactMap { column, tally in
      guard let finding = try finding(tally, found, column) else { return nil }
      return DAOStray(column: StoredColumn(table: table, column: column), finding: finding)
    }
  }

  private func finding(
    _ tally: Tally,
    _ table: FoundTable,
    _ column: String
  ) throws -> DAOStray.Finding? {
    if tally.isEmpty { return nil }
    if let refusal = table.refusal {
      return .outOfReach(
        "\(refusal), and holds sealed values, which no rotation reaches there; "
          + "move them to a table with rowids, or delete them"
      )
    }
    guard tally.unopened == 0, let place = tally.places.first else {
      let count = tally.unopened.counted("value")
      return .outOfReach(
        "it holds \(count) that the store's keys have sealed for no class and property in the "
          + "catalog; store one through the DAO that they belong to, which notes the column, or "
          + "delete them"
      )
    }
    if tally.places.count > 1 {
      let words = tally.places.map(\.words).sorted().joined(separator: " and ")
      return .outOfReach("it holds values of \(words); give each a column of its own")
    }
    let others = DAOSQL.holdsOthers(table: table.name, column: column, connection.dialect)
    if try connection.scalar(others) == .integer(1) {
      return .outOfReach(
        "it holds values of \(place.words) beside others that are not sealed; give each kind a "
          + "column of its own"
      )
    }
    return .values(of: place)
  }

  /// The classes and properties of the values of a column, and the number of values that did not
  /// open.
  private struct Tally {
    private(set) var places: Set<DAOPlace> = []
    private(set) var unopened = 0
    /// The place of the last value; the next value likely has the same.
    private(set) var last: DAOPlace?

    var isEmpty: Bool { places.isEmpty && unopened == 0 }

    mutating func note(_ place: DAOPlace?) {
      guard let place else { return unopened += 1 }
      if place != last { places.insert(place) }
      last = place
    }
  }
}

/// Finds the class and property of a DAO's sealed value.
private final class PlaceOpener {
  private let session: RingSession
  private var columns: [DAOPlace: SealedColumn] = [:]
  private let places: [DAOPlace]

  init(_ places: [DAOPlace], ring: KeyRing) throws {
    session = RingSession(ring: ring)
    self.places = places
    for place in places {
      columns[place] = SealedColumn(try place.context(in: ring.storeID), nil)
    }
  }

  /// Returns the class and property under which a value opens, or nil if there is none.
  ///
  /// It tries `first` before all others.
  func place(of sealed: UnsafeRawBufferPointer, first: DAOPlace?) throws -> DAOPlace? {
    if let first, try opens(sealed, as: first) { return first }
    return try places.first { try $0 != first && opens(sealed, as: $0) }
  }

  private func opens(_ sealed: UnsafeRawBufferPointer, as place: DAOPlace) throws -> Bool {
    guard let column = columns[place] else { return false }
    do {
      try column.open(sealed, of: DAOPlace.objectID, by: session) { _ in }
      return true
    } catch let error as CryptoError where error.isOfValue {
      return false
    }
  }
}
