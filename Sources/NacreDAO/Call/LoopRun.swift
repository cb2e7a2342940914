import NacreCore

/// Runs one fixed statement for each element of a collection: the statement is made once, and what does not depend on
/// the element is bound once.
final class LoopRun {
  private enum Source {
    /// The element itself.
    case element
    /// A property of the element, by its index among the reader's names.
    case field(Int)
    /// A property of its property.
    case path
  }

  private struct Parameter {
    let index: Int32
    let reference: TemplateReference
    let source: Source
  }

  private let run: StatementRun
  private let statement: Statement
  private let reader: FieldReader
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
    var names: [String] = []
    var parameters: [Parameter] = []
    for (offset, reference) in references.enumerated() {
      let (index, path) = (Int32(offset + 1), reference.path)
      guard path.root == item else {
        let binding = try values.value(of: path)
        try statement.bind(run.stored(binding, path, isEmptyForNil: reference.isEmptyForNil), to: index)
        continue
      }
      let source: Source
      if path.names.count > 1 {
        source = .path
      } else if let first = path.names.first {
        let slot = names.firstIndex(of: first) ?? names.count
        if slot == names.count { names.append(first) }
        source = .field(slot)
      } else {
        source = .element
      }
      parameters.append(Parameter(index: index, reference: reference, source: source))
    }
    reader = FieldReader(names, run.crypts)
    self.parameters = parameters
  }

  /// Runs the statement for an element.
  func run(_ element: Any) throws {
    guard let object = unwrapped(element) else {
      // A path through nil is nil.
      for parameter in parameters {
        try statement.bind(parameter.reference.isEmptyForNil ? .text("") : .null, to: parameter.index)
      }
      return try statement.run()
    }
    try reader.point(at: object)
    for parameter in parameters {
      let value = try value(of: parameter, object)
      if value == .null && parameter.reference.isEmptyForNil {
        try statement.bind(text: "", at: parameter.index)
      } else {
        try statement.bind(value, to: parameter.index)
      }
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

  private func value(of parameter: Parameter, _ object: Any) throws -> Value {
    let path = parameter.reference.path
    switch parameter.source {
    case .element: return try ArgumentBinding.stored(object, path)
    case .field(let slot):
      let value: Value
      switch try reader.field(slot, path) {
      case .value(let known): value = known
      case .object(let given): value = try ArgumentBinding.stored(given, path)
      case .missing: throw ObjectAccess.missing(path, path.names[0])
      }
      guard let place = reader.sealing[slot] else { return value }
      return try run.sealing.seal(value, place, on: run.database)
    case .path:
      let values = CallValues(globals: [:]).adding(path.root, object)
      return try run.stored(values.value(of: path), path)
    }
  }
}
