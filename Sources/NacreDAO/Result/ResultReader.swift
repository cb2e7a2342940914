import Foundation
import NacreCore

/// Makes the result of a select from its rows.
///
/// A class, because a call passes it on several times, and copying a struct would retain each of its parts.
final class ResultReader: Sendable {
  /// The class or struct that rows are made into.
  private final class Target: Sendable {
    let model: ModelTable.Model
    let entity: (any Entity.Type)?
    /// The property for each column that a `<map>` names.
    let map: [SQLName: String]
    /// The sealed properties, whose values are opened.
    let sealed: [String: SealedProperty]

    init(_ model: ModelTable.Model, _ map: [String: String], _ sealed: [String: SealedProperty]) {
      self.model = model
      // Looked up once: looking for a conformance costs more than binding a parameter.
      entity = model.type as? any Entity.Type
      let columns = map.map { (SQLName($0.key), $0.value) }
      self.map = Dictionary(columns, uniquingKeysWith: { first, _ in first })
      self.sealed = sealed
    }

    /// The columns that the statement has kept for this target; if there are none, `find` makes them and the statement
    /// keeps them.
    ///
    /// This keeps the cost of a call low. It is not generic, because looking up a generic class costs more than a row.
    func columns(of row: any PreparedStatement, _ find: () -> AnyObject) -> AnyObject {
      if let known = row.notes(of: self) { return known }
      let found = find()
      row.keep(found, of: self)
      return found
    }

    /// The statement's columns, each with the name of the property that it fills.
    func names(of row: any PreparedStatement) -> [(index: Int32, name: String)] {
      let columns = (0..<Int32(row.columnCount)).map { (index: $0, name: row.columnName(at: $0)) }
      let exact = Set(columns.map(\.name))
      return columns.map { index, column in
        if let property = map[SQLName(column)] { return (index, property) }
        // A column with exactly the property's name comes first.
        let property = model.property(ofColumn: column)
        return (index, property.flatMap { exact.contains($0) ? nil : $0 } ?? column)
      }
    }
  }

  private let element: ResultType.Element
  private let isArray: Bool
  private let target: Target?

  init(
    _ type: ResultType,
    _ maps: [String: DAOModule.ResultMap],
    _ models: ModelTable,
    _ crypts: CryptRules
  ) {
    (element, isArray) = (type.element, type.isArray)
    let (name, map): (String?, [String: String]) =
      switch type.element {
      case .object(let name): (name, [:])
      case .map(let id): (maps[id]?.type, maps[id]?.properties.mapValues { $0.name } ?? [:])
      default: (nil, [:])
      }
    target = name.flatMap(models.model).map {
      Target($0, map, crypts.places(of: $0))
    }
  }

  /// The result if there are no rows.
  var empty: Any { isArray ? [Any]() : DAOResult.Absent.row }

  /// Steps through the rows of a bound statement.
  func read(
    _ row: any PreparedStatement,
    on database: Database,
    _ sealing: DAOSealing
  ) throws -> Any {
    defer { row.reset() }
    switch element {
    case .int, .longLong:
      return try collect(row) { $0.isNull(at: 0) ? nil : Int(truncatingIfNeeded: $0.int64(at: 0)) }
    case .bool: return try collect(row) { $0.isNull(at: 0) ? nil : $0.int64(at: 0) != 0 }
    case .double: return try collect(row) { $0.isNull(at: 0) ? nil : $0.double(at: 0) }
    case .string: return try collect(row) { try Self.text($0) }
    case .binary: return try collect(row) { $0.isNull(at: 0) ? nil : Data($0.blob(at: 0)) }
    case .dictionary: return try dictionaries(row)
    case .object, .map:
      return try objects(row, RowOpening(sealing: sealing, database: database))
    }
  }

  private static func text(_ row: any PreparedStatement) throws -> String? {
    if let text = row.string(at: 0) { return text }
    if row.isNull(at: 0) { return nil }
    guard let text = row.textOfOther(at: 0) else {
      throw NacreError.dao(
        .valueMismatch,
        "the result has to be a text, and the column holds bytes"
      )
    }
    return text
  }

  /// The first row's element, or an array with those of all rows; the array has optional elements only if one of them
  /// is NULL.
  private func collect<T>(
    _ row: any PreparedStatement,
    _ element: (any PreparedStatement) throws -> T?
  ) throws -> Any {
    guard isArray else {
      guard try row.step() else { return DAOResult.Absent.row }
      if let found = try element(row) { return found }
      return DAOResult.Absent.null
    }
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
    _ row: any PreparedStatement,
    _ found: [T],
    _ element: (any PreparedStatement) throws -> T?
  ) throws -> Any {
    var elements: [T?] = found
    elements.append(nil)
    while try row.step() { elements.append(try element(row)) }
    return elements
  }

  private func dictionaries(_ row: any PreparedStatement) throws -> Any {
    var rows: RowMembers?
    return try collect(row) { row in
      let members = rows ?? RowMembers(row)
      rows = members
      return members.read(row)
    }
  }

  // MARK: - Objects

  private func objects(
    _ row: any PreparedStatement,
    _ open: RowOpening
  ) throws -> Any {
    if let target, let entity = target.entity {
      return try entities(entity, target, row, open)
    }
    // Looked up at each call, because a conformance can belong to an actor.
    guard let target, let type = target.model.type as? any Decodable.Type else {
      // The models are compared with the configuration when the DAO is made.
      throw NacreError.dao(.valueMismatch, "the result is not one of the models")
    }
    return try decoded(type, target, row, open)
  }

  private func entities<E: Entity>(
    _ entity: E.Type,
    _ target: Target,
    _ row: any PreparedStatement,
    _ open: RowOpening
  ) throws -> Any {
    // `collect` would look up at each object what an optional of it is; here the type is known to be a class.
    guard try row.step() else { return isArray ? [E]() : DAOResult.Absent.row }
    let found = target.columns(of: row) { SplitColumns(entity, target, row, open.database) }
    // Nobody else keeps anything for this target.
    let columns = unsafeDowncast(found, to: SplitColumns.self)
    let filler = EntityFiller<E>(columns.plain, row)
    func object() throws -> E {
      let object = try filler.object()
      for (index, property, place) in columns.opened {
        let value = try open(row.value(at: index), place)
        if value != .null { try object.setValue(value, forKey: property.name) }
      }
      return object
    }
    guard isArray else { return try object() }
    var objects = [try object()]
    while try row.step() { objects.append(try object()) }
    return objects
  }

  /// The columns of an entity's rows.
  private final class SplitColumns {
    let plain: EntityColumns
    let opened: [(index: Int32, property: Property, place: SealedProperty)]

    init<E: Entity>(
      _ type: E.Type,
      _ target: Target,
      _ row: any PreparedStatement,
      _ database: Database
    ) {
      let columns = target.names(of: row).compactMap { index, name in
        E.entitySchema.property(named: name).map { (index: index, property: $0) }
      }
      plain = EntityColumns(
        type,
        columns.filter { target.sealed[$0.property.name] == nil },
        on: database
      )
      opened = columns.compactMap { index, property in
        target.sealed[property.name].map { (index, property, $0) }
      }
    }
  }

  private func decoded<T: Decodable, Row: PreparedStatement>(
    _ type: T.Type,
    _ target: Target,
    _ row: Row,
    _ open: RowOpening
  ) throws -> Any {
    guard try row.step() else { return isArray ? [T]() : DAOResult.Absent.row }
    let found = target.columns(of: row) {
      ResultDecoder<Row>.Kept(
        ResultColumns(target.names(of: row), of: target.model),
        sealed: target.sealed
      )
    }
    // Nobody else keeps anything for this target.
    let kept = unsafeDowncast(found, to: ResultDecoder<Row>.Kept.self)
    return try kept.decoding(row, open) { decoder in
      guard isArray else { return try T(from: decoder) }
      var values = [try T(from: decoder)]
      while try row.step() { values.append(try T(from: decoder)) }
      return values
    }
  }
}
