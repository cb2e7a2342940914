import NacreStore

/// The statements that look at the rows of an observed entity.
enum ObservationSQL {
  /// A table and the column by which its rows belong to an object.
  struct Table: Hashable, Sendable {
    let name: String
    /// The SELECT of every row: the key, and then all columns.
    let rows: String
    /// The SELECT of the rows of the object in parameter 1, in the same form.
    let rowsOfOne: String
    /// The SELECT of the rows of the set of objects in parameter 1, in the same form.
    let rowsOfSome: String

    fileprivate init(name: String, key: String) {
      self.name = name
      let key = "r.\(SQLText.name(key))"
      rows = "SELECT \(key), r.* FROM \(SQLText.name(name)) r"
      rowsOfOne = rows + " WHERE \(key) = ?1"
      rowsOfSome =
        "\(RelationshipSQL.identifiers) \(rows) WHERE \(key) IN (SELECT \"id\" FROM \"nacre_ids\")"
    }
  }

  /// Returns the entity's own table, and then the tables of its to-many relationships.
  ///
  /// Links that another class stores are that class's alone.
  static func tables(of schema: EntitySchema) -> [Table] {
    let joins = schema.properties.filter { !$0.isMirror }.compactMap {
      RelationshipSQL(owner: schema, property: $0)?.joinTable
    }
    return [Table(name: schema.table, key: "objectID")]
      + joins.map { Table(name: $0, key: "owner") }
  }
}
