import Foundation
package import NacreEngine
import NacreStore

/// A map from the columns of a statement to the properties of an entity.
///
/// It is made once for a statement that runs many times.
package final class EntityColumns {
  fileprivate let columns: [(index: Int32, property: Property)]
  fileprivate let schema: EntitySchema
  /// The column before the first property's, if the columns are all properties in their order;
  /// otherwise nil.
  fileprivate let base: Int32?
  /// The columns of optional properties that are not nil in a new object.
  ///
  /// The entity's code would read NULL in them as nil, but the property keeps the value of a new
  /// object.
  fileprivate let defaulted: [Int32]
  /// The sealing that a row's reader needs; nil if the entity's own code can't read the columns,
  /// because it has children, links or sealed properties.
  fileprivate let sealing: FieldSealing?

  /// Compares the columns with an entity's properties.
  ///
  /// - Parameters:
  ///   - type: the entity.
  ///   - columns: the columns, each with the property that it goes into.
  ///   - database: the statement's connection.
  package init<E: Entity>(
    _ type: E.Type,
    _ columns: [(index: Int32, property: Property)],
    on database: Database
  ) {
    self.columns = columns
    schema = type.entitySchema
    let properties = schema.properties
    let new = E()
    let isOwn = schema.isFlat && !properties.contains { $0.isSealed }
    sealing = isOwn ? FieldSealing(schema: schema, database: database) : nil
    let first = columns.first?.index ?? 0
    let isInOrder = columns.enumerated().allSatisfy { place, column in
      column.property.index == place && column.index == first + Int32(place)
    }
    base = isInOrder && columns.count == properties.count ? first - 1 : nil
    // If a property can't be nil, the entity's own code skips NULL as well.
    defaulted = columns.filter { column in
      column.property.acceptsNull && (try? column.property.stored(of: new)) != .null
    }.map(\.index)
  }
}

/// A maker of one entity's objects from the rows of a statement that is not the entity's own.
///
/// A property without a column, or with NULL in it, keeps the value of a new object. The entity's
/// own code reads the row. If it can't, for example because a column has another form than the
/// property's, each property is set by its name.
package final class EntityFiller<E: Entity> {
  private let columns: EntityColumns
  private let statement: any PreparedStatement
  /// Reads the statement's own columns.
  private let direct: RowReader?
  /// Reads the columns in the order of the properties, with a new object's values in the gaps.
  private lazy var redirected: RowReader? = {
    guard columns.sealing != nil, let defaults = Self.defaults else { return nil }
    let row = RedirectedStatement(statement, count: defaults.count, defaults: defaults)
    for (index, property) in columns.columns { row.place(property, at: index) }
    return Self.reader(of: row, columns, 0)
  }()

  /// Prepares to make objects.
  ///
  /// - Parameters:
  ///   - columns: the columns, each with the property that it goes into.
  ///   - statement: the statement that gives the rows.
  package init(_ columns: EntityColumns, _ statement: any PreparedStatement) {
    self.columns = columns
    self.statement = statement
    direct = columns.base.flatMap { Self.reader(of: statement, columns, $0) }
  }

  /// The stored forms of the properties in a new object; nil if one of them is missing or differs
  /// between new objects, as an identifier's does.
  private static var defaults: [Value]? {
    let (new, other) = (E(), E())
    var defaults: [Value] = []
    for property in E.entitySchema.properties {
      guard let value = try? property.stored(of: new),
        value == (try? property.stored(of: other))
      else { return nil }
      defaults.append(value)
    }
    return defaults
  }

  private static func reader(
    of row: any EngineStatement,
    _ columns: EntityColumns,
    _ base: Int32
  ) -> RowReader? {
    columns.sealing.map {
      RowReader(statement: row, base: base, schema: columns.schema, store: 0, sealing: $0)
    }
  }

  /// Makes a new object from the statement's current row.
  ///
  /// - Throws: ``NacreError`` for a column that does not fit.
  package func object() throws -> E {
    let isWhole = direct != nil && !columns.defaulted.contains { statement.isNull(at: $0) }
    if let reader = isWhole ? direct : redirected, let object = try? E(row: reader) {
      object.entityState = EntityState()
      return object
    }
    let object = E()
    for (index, property) in columns.columns {
      try property.fill(object, from: statement, at: index)
    }
    return object
  }
}
