import NacreStore

/// The statements that look at the rows of an entity that is observed.
enum ObservationSQL {
  /// A table and the column by which its rows belong to an object.
  struct Table: Hashable, Sendable {
    let name: String
    /// Every row: the key, and then all columns.
    let rows: String
    /// The rows of the object in parameter 1, in the same form.
    let rowsOfOne: String

    fileprivate init(name: String, key: String) {
      self.name = name
      let key = "r.\(SQLText.name(key))"
      rows = "SELECT \(key), r.* FROM \(SQLText.name(name)) r"
      rowsOfOne = rows + " WHERE \(key) = ?1"
    }
  }

  /// The entity's own table, then those of its to-many relationships.
  static func tables(of schema: EntitySchema) -> [Table] {
    let joins = schema.properties.compactMap {
      RelationshipSQL(owner: schema, property: $0)?.joinTable
    }
    return [Table(name: schema.table, key: "objectID")]
      + joins.map { Table(name: $0, key: "owner") }
  }
}
