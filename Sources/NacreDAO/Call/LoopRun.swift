import NacreCore

/// Runs one fixed statement for each element of a collection: the statement is made once, and what does not depend on
/// the element is bound once.
final class LoopRun {
  private struct Parameter {
    let index: Int32
    let reference: TemplateReference
  }

  private let run: StatementRun
  private let statement: Statement
  /// Binds the parameters that are properties of the element.
  private let reader: FieldReader
  /// The parameters that are the element itself, or a property of its property.
  private let others: [Parameter]
  /// All that depend on the element.
  private let parameters: [Parameter]
  /// The type of the last element, when it was no optional: to look for one costs more than to bind a number.
  private var plainType: ObjectIdentifier?

  init(
    _ run: StatementRun,
    sql: String,
    _ references: [TemplateReference],
    item: String,
    _ values: CallValues
  ) throws {
    self.run = run
    statement = try run.database.prepared(sql)
    let all = references.enumerated().map { Parameter(index: Int32($0 + 1), reference: $1) }
    parameters = all.filter { $0.reference.path.root == item }
    others = parameters.filter { $0.reference.path.names.count != 1 }
    for parameter in all where parameter.reference.path.root != item {
      let path = parameter.reference.path
      let value = try run.stored(
        values.value(of: path),
        path,
        isEmptyForNil: parameter.reference.isEmptyForNil
      )
      try statement.bind(value, at: parameter.index)
    }
    let targets = parameters.filter { $0.reference.path.names.count == 1 }.map {
      FieldReader.Target(
        path: $0.reference.path,
        name: $0.reference.path.names[0],
        parameter: $0.index,
        isEmptyForNil: $0.reference.isEmptyForNil
      )
    }
    reader = FieldReader(targets, run, statement)
  }

  /// Runs the statement for an element.
  func run(_ element: Any) throws {
    guard let object = unwrapped(element) else {
      // A path through nil is nil.
      for parameter in parameters {
        let value: Value = parameter.reference.isEmptyForNil ? .text("") : .null
        try statement.bind(value, at: parameter.index)
      }
      return try statement.run()
    }
    try reader.bind(object)
    for parameter in others {
      let path = parameter.reference.path
      let values = CallValues(globals: [:]).adding(path.root, object)
      let value = try run.stored(
        values.value(of: path),
        path,
        isEmptyForNil: parameter.reference.isEmptyForNil
      )
      try statement.bind(value, at: parameter.index)
    }
    try statement.run()
  }

  private func unwrapped(_ element: Any) -> Any? {
    let type = ObjectIdentifier(Swift.type(of: element))
    if type == plainType { return element }
    guard let object = DAOValue.unwrapped(element) else { return nil }
    if ObjectIdentifier(Swift.type(of: object)) == type { plainType = type }
    return object
  }
}
