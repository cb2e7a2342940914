import NacreCore

/// The names that a method's statements can use: its arguments, the items of loops, and what is global.
struct CallValues: TemplateValues {
  private let names: [DAOMethod.Argument]
  /// The values of the names, as many.
  private let arguments: [Any?]
  /// The innermost last.
  private var items: [(name: String, value: Any?)] = []
  private let globals: [String: any Sendable]
  private let crypts: CryptRules

  init(
    _ method: CompiledMethod,
    _ arguments: [Any?],
    globals: [String: any Sendable],
    _ crypts: CryptRules
  ) {
    names = method.method.arguments
    self.arguments = arguments
    self.globals = globals
    self.crypts = crypts
  }

  /// The names of what has no arguments.
  init(globals: [String: any Sendable], _ crypts: CryptRules) {
    (names, arguments, self.globals, self.crypts) = ([], [], globals, crypts)
  }

  /// The value of a name alone: an item shadows an argument, which shadows what is global.
  ///
  /// - Throws: `DAOValue.Failure` for a name that nobody provides.
  func value(named name: String) throws -> Any? {
    if let item = items.last(where: { $0.name == name }) { return item.value }
    if let index = names.lastIndex(where: { $0.name == name }) { return arguments[index] }
    if let value = globals[name] { return value }
    throw DAOValue.Failure(message: "there is no argument and no global “\(name)”")
  }

  func value(of path: ReferencePath) throws -> RenderedStatement.Binding {
    var value = try value(named: path.root)
    var origin: (object: Any?, property: String)?
    var isOfSealed = false
    for name in path.names {
      if let origin, let whole = origin.object,
        crypts.place(of: origin.property, in: whole) != nil
      {
        isOfSealed = true
      }
      guard let object = DAOValue.unwrapped(value) else {
        let property = path.names.last.map { (object: Any?.none, property: $0) }
        return RenderedStatement.Binding(value: nil, origin: property, path: path)
      }
      value = try ObjectAccess.value(of: name, in: object, path, crypts)
      origin = (object, name)
    }
    return RenderedStatement.Binding(
      value: value,
      origin: origin,
      path: path,
      isOfSealed: isOfSealed
    )
  }

  func adding(_ name: String, _ value: Any?) -> CallValues {
    var copy = self
    copy.items.append((name, value))
    return copy
  }
}
