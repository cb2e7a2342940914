import NacreCore

/// Makes a dictionary of each row of one select, by the names of its columns.
struct RowMembers {
  private let names: [String]
  /// A dictionary with all names; a copy of it is filled without hashing a name.
  private let empty: [String: Any]
  /// The place of each column's member in the dictionary; empty if two columns have one name.
  private let places: [Dictionary<String, Any>.Index]

  /// Looks at the columns of a statement.
  init(_ row: any PreparedStatement) {
    let names = (0..<row.columnCount).map { row.columnName(at: Int32($0)) }
    let empty = Dictionary(names.map { ($0, 0 as Any) }, uniquingKeysWith: { first, _ in first })
    self.names = names
    self.empty = empty
    places = empty.count == names.count ? names.compactMap { empty.index(forKey: $0) } : []
  }

  /// The members of the present row; a column that is NULL has none.
  func read(_ row: any PreparedStatement) -> [String: Any] {
    if places.isEmpty { return readByNames(row) }
    var members = empty
    var absent: [String] = []
    for (column, place) in places.enumerated() {
      switch row.value(at: Int32(column)) {
      case .null: absent.append(names[column])
      case .integer(let number): members.values[place] = Int(truncatingIfNeeded: number)
      case .real(let number): members.values[place] = number
      case .text(let text): members.values[place] = text
      case .blob(let data): members.values[place] = data
      }
    }
    // Last, because the places hold only while no member is removed.
    for name in absent { members[name] = nil }
    return members
  }

  /// Of columns with one name, the last that is not NULL counts.
  private func readByNames(_ row: any PreparedStatement) -> [String: Any] {
    var members: [String: Any] = [:]
    for (index, name) in names.enumerated() {
      if let value = DAOValue.plain(row.value(at: Int32(index))) { members[name] = value }
    }
    return members
  }
}
