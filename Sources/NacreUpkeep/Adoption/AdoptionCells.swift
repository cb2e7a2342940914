import NacreEngine
import NacreStore

/// Finds how each cell of an entity's row is made, by the catalog and the mapping.
struct AdoptionCells {
  private let entity: CatalogEntity
  private let table: AdoptedTable
  private let source: ForeignTable
  private let resolver: AdoptionResolver

  init(
    entity: CatalogEntity,
    table: AdoptedTable,
    source: ForeignTable,
    _ resolver: AdoptionResolver
  ) {
    self.entity = entity
    self.table = table
    self.source = source
    self.resolver = resolver
  }

  /// Returns the cells of the mapped properties, and of those that have to be sealed although they are nil.
  ///
  /// - Throws: ``NacreError`` with code `badMapping`.
  func cells(_ places: inout ColumnPlaces) throws -> [AdoptionCell] {
    let layout = try TableLayout(entity.table, on: resolver.connection)
    var cells: [AdoptionCell] = []
    for (name, value) in table.properties.sorted(by: { $0.key < $1.key }) {
      guard let property = entity.properties.first(where: { $0.name == name && !$0.isHidden })
      else { throw fault("the entity has no such property", name) }
      guard let column = property.column else { throw refusal(of: property) }
      let refusesNull =
        property.isOptional == false
        || !property.isSealed && layout.column(column)?.isNotNull == true
      if property.kind == "value" {
        if property.sealing?.isHooked == true { throw refusal(of: property) }
        cells.append(
          try builder(name).cell(
            value,
            column: column,
            type: property.type,
            isSealed: property.isSealed,
            refusesNull: refusesNull,
            &places
          )
        )
      } else {
        cells += try reference(value, property, column, refusesNull, &places)
      }
    }
    return try cells + missing(cells, layout)
  }

  private func builder(_ property: String) -> Builder {
    Builder(table: entity.name, property: property, source, resolver)
  }

  private func fault(_ detail: String, _ property: String) -> NacreError {
    AdoptionResolver.fault(detail, entity: entity.name, property: property)
  }

  private func refusal(of property: CatalogProperty) -> NacreError {
    if let inverse = property.inverse {
      let child = property.target ?? ""
      return fault("its elements are found by \(child).\(inverse): map that", property.name)
    }
    if property.column == nil {
      return fault("its elements have a table of their own: map them by lists", property.name)
    }
    return fault(
      "the application's own provider seals it, so only the application can",
      property.name
    )
  }

  // MARK: References

  /// Returns the cell of a reference, and that of the position in the other object's list.
  private func reference(
    _ value: AdoptedValue,
    _ property: CatalogProperty,
    _ column: String,
    _ refusesNull: Bool,
    _ places: inout ColumnPlaces
  ) throws -> [AdoptionCell] {
    guard value.form == nil, value.preset == nil, !value.columns.isEmpty else {
      throw fault("a reference has the columns of a key and nothing else", property.name)
    }
    let target = try property.target.map { try resolver.entity($0) }
    let reference = try resolver.reference(
      value.columns,
      to: value.table,
      keys: value.keys,
      entity: target,
      in: source,
      &places
    )
    let cell = AdoptionCell(
      column: column,
      property: property.name,
      sourceColumn: reference.columns,
      type: "BLOB",
      isSealed: false,
      refusesNull: refusesNull,
      source: .reference(reference)
    )
    guard let position = value.position else { return [cell] }
    guard property.kind == "link" else {
      throw fault("only a link has a position in the other object's list", property.name)
    }
    let name = try source.column(position)
    return [
      cell,
      AdoptionCell(
        column: try positionColumn(of: column),
        property: property.name,
        sourceColumn: name,
        type: "INTEGER",
        isSealed: false,
        refusesNull: false,
        source: .position(place: places.place(of: name))
      ),
    ]
  }

  /// Returns the column for positions, which a store has only after a version that keeps them has used its class.
  private func positionColumn(of column: String) throws -> String {
    let name = CatalogProperty.positionColumn(of: column)
    let connection = resolver.connection
    if try TableLayout(entity.table, on: connection).column(name) == nil {
      try connection.execute(MigrationSQL.addColumn(name, to: entity.table, type: "INTEGER"))
    }
    return name
  }

  // MARK: What is not mapped

  /// Returns the cells of the properties that hide their nils and are not mapped.
  ///
  /// - Throws: ``NacreError`` for a property that needs a value and is not mapped.
  private func missing(_ cells: [AdoptionCell], _ layout: TableLayout) throws -> [AdoptionCell] {
    let mapped = Set(cells.map { SQLName($0.column) })
    return try entity.properties.compactMap { property in
      guard let column = property.column, !mapped.contains(SQLName(column)) else { return nil }
      let needsValue =
        property.isSealed
        ? property.isOptional == false && !property.isHidden
        : layout.column(column).map { $0.isNotNull && !$0.hasDefault } ?? false
      if needsValue { throw fault("nothing is mapped to it, and it can't be nil", property.name) }
      guard let sealing = property.sealing, sealing.form.hidesNil, !sealing.isHooked,
        !property.isHidden
      else { return nil }
      return AdoptionCell(
        column: column,
        property: property.name,
        sourceColumn: nil,
        type: property.type,
        isSealed: true,
        refusesNull: false,
        source: .value(place: nil, form: nil, preset: nil)
      )
    }
  }

  // MARK: Values

  /// Makes the cell of one value, for an entity or for a record.
  struct Builder {
    private let table: String
    private let property: String
    private let source: ForeignTable
    private let resolver: AdoptionResolver

    init(table: String, property: String, _ source: ForeignTable, _ resolver: AdoptionResolver) {
      self.table = table
      self.property = property
      self.source = source
      self.resolver = resolver
    }

    func cell(
      _ value: AdoptedValue,
      column: String,
      type: String,
      isSealed: Bool,
      refusesNull: Bool,
      _ places: inout ColumnPlaces
    ) throws -> AdoptionCell {
      try check(value, type)
      let name = try value.columns.first.map { try source.column($0) }
      return AdoptionCell(
        column: column,
        property: property,
        sourceColumn: name,
        type: type,
        isSealed: isSealed,
        refusesNull: refusesNull,
        source: .value(
          place: name.map { places.place(of: $0) },
          form: value.form,
          preset: value.preset
        )
      )
    }

    private func check(_ value: AdoptedValue, _ type: String) throws {
      guard value.table == nil, value.keys == nil, value.position == nil else {
        throw fault("it is no reference, so it has no table, keys or position")
      }
      guard value.columns.count == 1 || value.columns.isEmpty && value.preset != nil else {
        throw fault("it takes one column, or a default alone")
      }
      if let form = value.form, !form.types.contains(type), Self.types.contains(type) {
        throw fault("it stores \(type), which \(form.rawValue) does not become")
      }
      guard let preset = value.preset, preset != .null else { return }
      guard AdoptionCell.stored(preset, value.form, type) != nil else {
        throw fault("the default does not fit it")
      }
    }

    /// The storage types of properties; a column of a record's table can have another.
    private static let types: Set<String> = ["INTEGER", "REAL", "TEXT", "BLOB"]

    private func fault(_ detail: String) -> NacreError {
      AdoptionResolver.fault(detail, entity: table, property: property)
    }
  }
}
