import NacreEngine
import NacreStore

// Foreign keys on an engine whose tables can't refer to one that does not exist yet: each is made once both of its tables
// are there.

extension TableBuilder {
  /// Makes the foreign keys of some properties, as far as their targets have a table.
  func addReferences(of properties: [Property]) throws {
    guard !connection.dialect.refersAhead else { return }
    for property in properties where !property.isMirror {
      guard let target = property.relationship?.target.entitySchema.table else { continue }
      if property.hasColumn {
        try addReference(property.column, of: schema.table, to: target, onDelete: "SET NULL")
      } else if let join = RelationshipSQL(owner: schema, property: property)?.joinTable {
        try addReference("owner", of: join, to: schema.table, onDelete: "CASCADE")
        try addReference("child", of: join, to: target, onDelete: "CASCADE")
      }
    }
  }

  /// Makes the foreign keys by which the tables of other entities refer to this new one.
  func addReferencesFromOthers() throws {
    guard !connection.dialect.refersAhead else { return }
    var found: [(table: String, column: String, action: String)] = []
    try connection.each(CatalogSQL.selectReferrers, [.text(schema.name)]) { row in
      let (entity, table, column) = (row.text(at: 0), row.text(at: 1), row.text(at: 3))
      let join = row.text(at: 5)
      if entity == schema.name { return }
      if !column.isEmpty {
        found.append((table, column, "SET NULL"))
      } else if !join.isEmpty {
        found.append((join, "child", "CASCADE"))
      }
    }
    for (table, column, action) in found {
      try addReference(column, of: table, to: schema.table, onDelete: action)
    }
  }

  private func addReference(
    _ column: String,
    of table: String,
    to target: String,
    onDelete action: String
  ) throws {
    guard try connection.schema.hasTable(target) else { return }
    try connection.execute(
      TableSQL.addReference(column, of: table, to: target, onDelete: action, connection.dialect)
    )
  }
}
