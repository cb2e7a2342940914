import NacreEngine
import NacreStore

/// An object or a record that the caller's own SQL found, and the other columns of its row.
/// ```swift
/// let students = try Student.find(
///   sql: "SELECT s.*, t.name AS t_name FROM Student s JOIN Teacher t ON t.objectID = s.teacher"
/// )
/// print(students[0].name, students[0]["t_name"])
/// ```
@dynamicMemberLookup
public struct Found<E> {
  /// The object, with its children; or the record.
  public let object: E
  /// The row without the columns of the entity or the record.
  public let extras: Row

  package init(object: E, extras: Row) {
    self.object = object
    self.extras = extras
  }

  /// The value in a column that is not the entity's or the record's; `Value.null` for NULL, nil if
  /// there is no such column.
  public subscript(column: String) -> Value? { extras[column] }

  /// A property of the object.
  public subscript<V>(dynamicMember property: KeyPath<E, V>) -> V { object[keyPath: property] }

  /// A property of the object that can be set.
  public subscript<V>(dynamicMember property: ReferenceWritableKeyPath<E, V>) -> V {
    get { object[keyPath: property] }
    nonmutating set { object[keyPath: property] = newValue }
  }
}

extension Entity {
  /// Finds objects with the caller's own SQL, and returns the other columns of each row with them.
  ///
  /// The statement names the objects in a column `objectID`. Nacre loads each object whole, with
  /// its sealed properties opened and its children, so the statement need not select the entity's
  /// other columns; the extras leave them out. If an object comes in many rows, they share one
  /// instance.
  ///
  /// Unlike a condition, a statement that compares a sealed property is not refused, because Nacre
  /// can't tell it from one that only selects the property. It would compare envelopes, and no
  /// comparison of envelopes is true.
  ///
  /// - Parameters:
  ///   - sql: one statement with `?` for each argument.
  ///   - arguments: the values of the `?`.
  ///   - links: links whose objects are loaded as well.
  /// - Returns: an object for each row, in the statement's order.
  /// - Throws: ``NacreError/Code/noSuchColumn`` if there is no column `objectID`;
  ///   ``NacreError/Code/notFound`` if no object of the entity is stored under one of the
  ///   identifiers.
  public static func find(
    sql: String,
    _ arguments: (any QueryArgument)?...,
    with links: PartialKeyPath<Self>...
  ) throws -> [Found<Self>] {
    let (sql, links) = (try SQLArguments(sql, arguments), try entitySchema.links(links))
    return try Store.current(for: self).withReader {
      try $0.entities.find(Self.self, sql, prefetch: links)
    }
  }

  /// The async twin of ``find(sql:_:with:)-(String,_,_)``.
  ///
  /// - Throws: ``NacreError``, with the same codes as the twin.
  public static func find(
    sql: String,
    _ arguments: (any QueryArgument)?...,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending [Found<Self>] {
    let (sql, links) = (try SQLArguments(sql, arguments), try entitySchema.links(links))
    return try await Store.current(for: self).readFresh {
      try $0.entities.find(Self.self, sql, prefetch: links)
    }
  }

  /// Finds objects with the caller's own SQL with named arguments.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public static func find(
    sql: String,
    _ arguments: NamedArguments,
    with links: PartialKeyPath<Self>...
  ) throws -> [Found<Self>] {
    let (sql, links) = (try SQLArguments(sql, arguments), try entitySchema.links(links))
    return try Store.current(for: self).withReader {
      try $0.entities.find(Self.self, sql, prefetch: links)
    }
  }

  /// The async twin of ``find(sql:_:with:)-(String,NamedArguments,_)``.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public static func find(
    sql: String,
    _ arguments: NamedArguments,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending [Found<Self>] {
    let (sql, links) = (try SQLArguments(sql, arguments), try entitySchema.links(links))
    return try await Store.current(for: self).readFresh {
      try $0.entities.find(Self.self, sql, prefetch: links)
    }
  }
}

extension EntitySession {
  func find<E: Entity>(
    _ type: E.Type,
    _ sql: SQLArguments,
    prefetch: [Property]
  ) throws -> [Found<E>] {
    try database.consistently {
      let statements = try statements(for: E.entitySchema)
      let read = FoundRow.reader(statements.schema)
      var rows: [FoundRow] = []
      try database.each(sql.text, sql.values) { rows.append(try read($0)) }
      return try found(type, statements, rows, prefetch)
    }
  }

  /// Finds the objects on one page of the rows of a statement.
  func page<E: Entity>(
    _ type: E.Type,
    _ place: PagePlace,
    _ sql: SQLArguments,
    prefetch: [Property]
  ) throws -> Page<Found<E>> {
    try database.consistently {
      let statements = try statements(for: E.entitySchema)
      let page = try database.page(place, sql, FoundRow.reader(statements.schema))
      let items = try found(type, statements, page.items, prefetch)
      return Page(items: items, place: place, totalItems: page.totalItems)
    }
  }

  private func found<E: Entity>(
    _ type: E.Type,
    _ statements: EntityStatements,
    _ rows: [FoundRow],
    _ prefetch: [Property]
  ) throws -> [Found<E>] {
    let objects = try objects(type, statements, rows.map(\.identity), prefetch: prefetch)
    return try rows.map { row in
      guard let object = objects[row.identity] else {
        throw NacreError(.notFound, entity: statements.schema.name, objectID: row.identity.uuid)
      }
      return Found(object: object, extras: row.extras)
    }
  }
}

/// A row of the caller's own SQL: which object it names, and its other columns.
private struct FoundRow {
  let identity: ObjectID
  let extras: Row

  /// Returns a closure that reads the rows of one statement; it looks for the columns at the first.
  static func reader(_ schema: EntitySchema) -> (any PreparedStatement) throws -> FoundRow {
    var layout: FoundColumns?
    return { statement in
      let columns = try layout ?? FoundColumns(statement.columnNames, schema)
      layout = columns
      return FoundRow(
        identity: try columns.identity(statement),
        extras: columns.extras(statement)
      )
    }
  }
}

/// Which columns of a statement give the object, and which are extras.
private struct FoundColumns {
  private let identity: Int32
  private let schema: EntitySchema
  private let extras: [Int32]
  private let names: ColumnNames

  init(_ columns: ColumnNames, _ schema: EntitySchema) throws {
    let objectID = SQLName("objectID")
    guard let identity = columns.all.firstIndex(where: { SQLName($0) == objectID }) else {
      throw schema.error(.noSuchColumn, "objectID")
    }
    var own: Set = [objectID, SQLName(VersionSQL.name)]
    for property in schema.properties where property.hasColumn {
      own.insert(SQLName(property.column))
      if let index = property.indexColumn { own.insert(SQLName(index)) }
    }
    own.formUnion(schema.positionColumns.map(SQLName.init))
    // If a name comes twice, as in `s.*, t.*`, the first column is the entity's.
    let others = columns.all.indices.filter { index in
      !own.contains(SQLName(columns.all[index])) || columns.index[columns.all[index]] != index
    }
    self.schema = schema
    self.identity = Int32(identity)
    extras = others.map { Int32($0) }
    names = ColumnNames(others.map { columns.all[$0] })
  }

  func identity(_ statement: any EngineStatement) throws -> ObjectID {
    do {
      return try ObjectID.read(from: statement, at: identity)
    } catch {
      throw NacreError(
        .valueMismatch,
        entity: schema.name,
        detail: "column objectID",
        cause: error
      )
    }
  }

  func extras(_ statement: any EngineStatement) -> Row {
    Row(names, extras.map { statement.value(at: $0) })
  }
}
