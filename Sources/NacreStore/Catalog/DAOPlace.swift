import NacreSQLite

/// A class and a property, as a configuration names them: what a DAO's sealed values are bound to.
package struct DAOPlace: Hashable {
  let type: String
  let property: String

  /// Both in words.
  var words: String { "\(type).\(property)" }

  /// Those whose values the catalog has ever known a column of, also where that is gone.
  ///
  /// - Throws: what reading throws.
  static func known(on connection: Connection) throws -> [DAOPlace] {
    var places: [DAOPlace] = []
    try connection.each(DAOSQL.places, []) { row in
      places.append(DAOPlace(type: row.text(at: 0), property: row.text(at: 1)))
    }
    return places
  }
}
