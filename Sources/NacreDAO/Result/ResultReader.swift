import Foundation
import NacreCore

/// Makes what a select gives of its rows.
struct ResultReader {
  private let type: ResultType
  private let maps: [String: DAOModule.ResultMap]
  private let models: ModelTable
  private let crypts: CryptRules
  private let sealing: DAOSealing

  init(
    _ type: ResultType,
    _ maps: [String: DAOModule.ResultMap],
    _ models: ModelTable,
    _ crypts: CryptRules,
    _ sealing: DAOSealing
  ) {
    self.type = type
    self.maps = maps
    self.models = models
    self.crypts = crypts
    self.sealing = sealing
  }

  /// What no row gives.
  var empty: Any? { type.isArray ? [Any]() : nil }

  /// Steps through the rows of a bound statement.
  func read(_ row: Statement, on database: Database) throws -> Any? {
    defer { row.reset() }
    switch type.element {
    case .int, .longLong: return try collect(row) { Self.int($0) }
    case .bool: return try collect(row) { $0.isNull(at: 0) ? nil : $0.int64(at: 0) != 0 }
    case .double: return try collect(row) { $0.isNull(at: 0) ? nil : $0.double(at: 0) }
    case .string: return try collect(row) { $0.isNull(at: 0) ? nil : $0.text(at: 0) }
    case .binary: return try collect(row) { $0.isNull(at: 0) ? nil : Data($0.blob(at: 0)) }
    case .dictionary: return try dictionaries(row)
    case .object(let name): return try objects(row, database, name, [:])
    case .map(let id):
      guard let map = maps[id] else { return nil }
      return try objects(row, database, map.type, map.properties)
    }
  }

  private static func int(_ row: Statement) -> Int? {
    row.isNull(at: 0) ? nil : Int(truncatingIfNeeded: row.int64(at: 0))
  }

  /// The first row's element, or those of all rows: of their own type, and optionals where one of them is NULL.
  private func collect<T>(_ row: Statement, _ element: (Statement) throws -> T?) throws -> Any? {
    guard type.isArray else { return try row.step() ? element(row) : nil }
    var elements: [T] = []
    while try row.step() {
      guard let next = try element(row) else {
        return try collectOptionals(row, elements, element)
      }
      elements.append(next)
    }
    return elements
  }

  private func collectOptionals<T>(
    _ row: Statement,
    _ found: [T],
    _ element: (Statement) throws -> T?
  ) throws -> Any? {
    var elements: [T?] = found
    elements.append(nil)
    while try row.step() { elements.append(try element(row)) }
    return elements
  }

  private func dictionaries(_ row: Statement) throws -> Any? {
    var names: [String] = []
    return try collect(row) { row in
      if names.isEmpty { names = (0..<row.columnCount).map { row.columnName(at: Int32($0)) } }
      var members: [String: Any] = [:]
      for (index, name) in names.enumerated() {
        if let value = ObjectAccess.plain(row.stored(at: Int32(index))) { members[name] = value }
      }
      return members
    }
  }

  // MARK: - Objects

  private func objects(
    _ row: Statement,
    _ database: Database,
    _ name: String,
    _ map: [String: String]
  ) throws -> Any? {
    guard let model = models.model(name) else {
      throw NacreError.dao(.valueMismatch, "“\(name)” is none of the models")
    }
    let sealed = crypts.places(of: model)
    if let entity = model.type as? any Entity.Type {
      return try entities(entity, row, database, map, sealed)
    }
    guard let type = model.type as? any Decodable.Type else {
      throw NacreError.dao(.valueMismatch, "“\(name)” is no entity and not Decodable")
    }
    return try decoded(type, row, database, map, sealed)
  }

  private func entities<E: Entity>(
    _ type: E.Type,
    _ row: Statement,
    _ database: Database,
    _ map: [String: String],
    _ sealed: [String: CryptRules.Place]
  ) throws -> Any? {
    let columns = Self.columns(of: type, row, map)
    let plain = columns.filter { sealed[$0.property.name] == nil }
    let filler = EntityFiller<E>(plain, row, on: database)
    let opened = columns.compactMap { column in
      sealed[column.property.name].map { (column.index, column.property.name, $0) }
    }
    return try collect(row) { row -> E in
      let object = try filler.object(from: row)
      for (index, name, place) in opened {
        let value = try sealing.open(row.stored(at: index), place, on: database)
        if value != .null { try object.setValue(value, forKey: name) }
      }
      return object
    }
  }

  private static func columns(
    of type: any Entity.Type,
    _ row: Statement,
    _ map: [String: String]
  ) -> [(index: Int32, property: Property)] {
    let schema = type.entitySchema
    return (0..<Int32(row.columnCount)).compactMap { index in
      let column = row.columnName(at: index)
      guard let property = schema.property(named: map[column] ?? column) else { return nil }
      return (index, property)
    }
  }

  private func decoded<T: Decodable>(
    _ type: T.Type,
    _ row: Statement,
    _ database: Database,
    _ map: [String: String],
    _ sealed: [String: CryptRules.Place]
  ) throws -> Any? {
    var decoder: RowDecoder?
    return try collect(row) { row -> T in
      let fitting = decoder ?? self.decoder(row, database, map, sealed)
      decoder = fitting
      return try fitting.decode(type)
    }
  }

  private func decoder(
    _ row: Statement,
    _ database: Database,
    _ map: [String: String],
    _ sealed: [String: CryptRules.Place]
  ) -> RowDecoder {
    var columns: [String: Int32] = [:]
    for index in 0..<Int32(row.columnCount) {
      let column = row.columnName(at: index)
      columns[map[column] ?? column] = index
    }
    let opened = sealed.mapValues { place in
      { index in try sealing.open(row.stored(at: index), place, on: database) }
    }
    return RowDecoder(row, columns: columns, opened: opened)
  }
}
