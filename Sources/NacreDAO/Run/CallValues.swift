import NacreCore

/// The names that a method's statements can use: its arguments, the items of loops, and the DAO's globals.
struct CallValues: TemplateValues {
  /// The method whose arguments these are.
  private let method: CompiledMethod?
  /// One value for each of the method's arguments.
  private let arguments: [Any?]
  /// The items of the loops; the innermost is last.
  private var items: [(name: String, value: Any?)] = []
  /// Holds the DAO's globals.
  private let setup: DAOSetup

  init(_ method: CompiledMethod, _ arguments: [Any?], _ setup: DAOSetup) {
    (self.method, self.arguments, self.setup) = (method, arguments, setup)
  }

  /// Makes the names for statements without arguments.
  init(_ setup: DAOSetup) { (method, arguments, self.setup) = (nil, [], setup) }

  /// The value of a name without properties: an item shadows an argument, and an argument shadows a global.
  ///
  /// - Throws: `DAOValue.Failure` for a name that is neither an item, nor an argument, nor a global.
  func value(named name: String) throws -> Any? {
    if let item = items.last(where: { $0.name == name }) { return item.value }
    if let index = method?.index(ofArgument: name) { return arguments[index] }
    if let value = setup.globals[name] { return value }
    throw DAOValue.Failure(message: "there is no argument and no global “\(name)”")
  }

  /// Binds an argument that is a number, a flag or a text; returns false for every other value.
  func bind(_ name: String, to statement: any PreparedStatement, at index: Int32) throws -> Bool {
    guard items.isEmpty, let place = method?.index(ofArgument: name) else { return false }
    return try bind(argument: place, to: statement, at: index)
  }

  /// Whether a name of an argument means that argument, because no loop has an item.
  var hasOnlyArguments: Bool { items.isEmpty && method != nil }

  /// Binds the argument at an index, if it is a number, a flag or a text; returns false for every other value.
  func bind(argument place: Int, to statement: any PreparedStatement, at index: Int32) throws
    -> Bool
  {
    guard let value = arguments[place] else { return false }
    return try ArgumentBinding.bind(value, to: statement, at: index)
  }

  func value(of path: ReferencePath) throws -> RenderedStatement.Binding {
    var value = try value(named: path.root)
    var origin: (object: Any?, property: String)?
    var isOfSealed = false
    for name in path.names {
      if let origin, let whole = origin.object,
        setup.crypts.place(of: origin.property, in: whole) != nil
          || ObjectAccess.isSealed(origin.property, in: whole)
      {
        isOfSealed = true
      }
      guard let object = DAOValue.unwrapped(value) else {
        let property = path.names.last.map { (object: Any?.none, property: $0) }
        return RenderedStatement.Binding(value: nil, origin: property, path: path)
      }
      value = try ObjectAccess.value(of: name, in: object, path, setup.crypts)
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
