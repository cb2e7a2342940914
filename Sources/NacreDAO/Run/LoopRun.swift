import NacreCore

/// Runs one fixed statement for each element of a collection.
///
/// It prepares the statement once, and binds once the parameters that do not depend on the element.
final class LoopRun {
  private let run: StatementRun
  private let statement: any PreparedStatement
  /// Binds the parameters that are properties of the element.
  private let reader: FieldReader
  /// The parameters that are the element itself, or a property of one of its properties.
  private let others: [FieldReader.Target]
  /// All parameters that depend on the element.
  private let parameters: [FieldReader.Target]
  /// The type of the last element if it was no optional; binding a number costs less than looking for an optional.
  @exclusivity(unchecked) private var plainType: ObjectIdentifier?
  /// How many rows the statement has changed, for all elements so far.
  @exclusivity(unchecked) private(set) var changedRowCount = 0

  init(
    _ run: StatementRun,
    _ fixed: FixedStatement,
    item: String,
    _ values: CallValues
  ) throws {
    self.run = run
    statement = try run.database.prepared(fixed.sql)
    try run.checkParameters(of: statement, count: fixed.parameters.count)
    // An element's own code may call the DAO.
    statement.lend()
    let all = fixed.parameters.enumerated().map {
      FieldReader.Target(parameter: Int32($0 + 1), reference: $1)
    }
    parameters = all.filter { $0.path.root == item }
    others = parameters.filter { $0.path.names.count != 1 }
    reader = FieldReader(parameters.filter { $0.path.names.count == 1 }, run, statement)
    for target in all where target.path.root != item {
      let value = try run.stored(values.binding(of: target.reference), for: statement)
      try statement.bind(value, at: target.parameter)
    }
  }

  deinit { statement.takeBack() }

  /// Runs the statement for an element.
  func run(_ element: Any) throws {
    let type = ObjectIdentifier(Swift.type(of: element))
    if type == plainType {
      try reader.bind(element, type)
      if !others.isEmpty { try bind(others, element) }
    } else if let object = DAOValue.unwrapped(element) {
      if ObjectIdentifier(Swift.type(of: object)) == type { plainType = type }
      try reader.bind(object)
      try bind(others, object)
    } else {
      // The properties of nil are all nil.
      try bind(parameters, nil)
    }
    let before = run.database.totalChangedRowCount
    try statement.run()
    // SQLite keeps the number of the statement before, if this one changes no rows.
    if run.database.totalChangedRowCount != before {
      changedRowCount += run.database.changedRowCount
    }
  }

  private func bind(_ targets: [FieldReader.Target], _ object: Any?) throws {
    for target in targets {
      let values = CallValues(run.setup).adding(target.path.root, object)
      let value = try run.stored(values.binding(of: target.reference), for: statement)
      try statement.bind(value, at: target.parameter)
    }
  }
}
