import NacreCore

extension StatementRun {
  /// Refuses a statement with parameters that no reference binds, because they shift the references' parameters.
  ///
  /// - Parameters:
  ///   - statement: the statement.
  ///   - count: how many references it has.
  ///   - areNamed: whether spliced values may have brought parameters with names or numbers; a number may be that of
  ///     another parameter.
  /// - Throws: ``NacreError`` with code `badStatement` if its parameters are not just those of its references.
  func checkParameters(of statement: any PreparedStatement, count: Int, areNamed: Bool = false)
    throws
  {
    let hasNames =
      areNamed && (0..<count).contains { statement.parameterName(at: Int32($0 + 1)) != nil }
    if statement.parameterCount == count && !hasNames { return }
    throw NacreError.dao(
      .badStatement,
      "its SQL has \(statement.parameterCount.counted("parameter")) for "
        + count.counted("reference"),
      advice: "Write #{name} for each value; ?, :name, @name and $name can stand only in quotes."
    )
  }

  /// Binds the parameters of a statement whose text is fixed.
  ///
  /// Most parameters are arguments with a number or a text.
  func bind(
    _ fixed: FixedStatement,
    _ values: CallValues,
    to statement: any PreparedStatement
  ) throws {
    guard let places = fixed.places, values.hasOnlyArguments else {
      return try bind(fixed.parameters, values, to: statement)
    }
    for (index, place) in places.enumerated()
    where try !values.bind(argument: place, to: statement, at: Int32(index + 1)) {
      let value = try stored(values.binding(of: fixed.parameters[index]), for: statement)
      try statement.bind(value, at: Int32(index + 1))
    }
  }

  /// Binds the parameters of a statement whose text is fixed.
  ///
  /// Several properties of one object are read together: reading one may make the object encode all of them.
  private func bind(
    _ references: [TemplateReference],
    _ values: CallValues,
    to statement: any PreparedStatement
  ) throws {
    var together: [String] = []
    for index in references.indices {
      if references.count > 1, references[index].path.names.count == 1 {
        let root = references[index].path.root
        if together.contains(root) { continue }
        if try bind(propertiesOf: root, references, values, to: statement) {
          together.append(root)
          continue
        }
      }
      try bind(references[index], values, to: statement, at: Int32(index + 1))
    }
  }

  /// Binds the properties of one object; returns false if there is just one, or no object.
  private func bind(
    propertiesOf root: String,
    _ references: [TemplateReference],
    _ values: CallValues,
    to statement: any PreparedStatement
  ) throws -> Bool {
    let targets = references.indices.filter {
      references[$0].path.names.count == 1 && references[$0].path.root == root
    }.map { FieldReader.Target(parameter: Int32($0 + 1), reference: references[$0]) }
    guard targets.count > 1, let object = DAOValue.unwrapped(try values.value(named: root)) else {
      return false
    }
    try FieldReader(targets, self, statement).bind(object)
    return true
  }

  private func bind(
    _ reference: TemplateReference,
    _ values: CallValues,
    to statement: any PreparedStatement,
    at index: Int32
  ) throws {
    // Most references are an argument with a number or a text, and no property of an object.
    if reference.path.names.isEmpty,
      try values.bind(reference.path.root, to: statement, at: index)
    {
      return
    }
    try statement.bind(stored(values.binding(of: reference), for: statement), at: index)
  }
}
