import NacreCore

/// Binds the same properties of one object after the other to a statement's parameters.
///
/// It examines a type at the first object of that type; a loop's elements mostly have one type. If the type's own code
/// can bind, by its entity's or its Codable conformance, it does, because names and reflection cost far more.
final class FieldReader {
  /// A parameter, and the reference to the property that it is bound to.
  ///
  /// A class, because copying a struct would retain all that the reference holds, at every value.
  final class Target {
    let parameter: Int32
    let reference: TemplateReference

    init(parameter: Int32, reference: TemplateReference) {
      (self.parameter, self.reference) = (parameter, reference)
    }

    var path: ReferencePath { reference.path }
    /// The property's name, for a path to a property of the object itself.
    var name: String { path.names[0] }
  }

  private let targets: [Target]
  private let run: StatementRun
  private let statement: any PreparedStatement
  // Unchecked: they are looked up at every object, and only the thread that has the statement does so.
  @exclusivity(unchecked) private var type: ObjectIdentifier?
  /// Binds the properties that the type's own code can bind.
  @exclusivity(unchecked) private var bindOwn: ((Any) throws -> Void)?
  private var capture: FieldBinding?
  /// The properties that are read by their names, each with its place if it is sealed.
  @exclusivity(unchecked) private var others: [(target: Target, place: SealedProperty?)] = []

  init(_ targets: [Target], _ run: StatementRun, _ statement: any PreparedStatement) {
    self.targets = targets
    self.run = run
    self.statement = statement
  }

  deinit { capture?.end() }

  /// Binds all properties of an object.
  func bind(_ object: Any) throws {
    try bind(object, ObjectIdentifier(Swift.type(of: object)))
  }

  /// Binds all properties of an object whose type the caller knows.
  func bind(_ object: Any, _ type: ObjectIdentifier) throws {
    if type != self.type {
      try choosePaths(for: object)
      self.type = type
    }
    if let bindOwn { try bindOwn(object) }
    if others.isEmpty { return }
    for (target, place) in others { try bind(target, place, of: object) }
  }

  private func bind(_ target: Target, _ place: SealedProperty?, of object: Any) throws {
    let binding = RenderedStatement.Binding(
      value: try ObjectAccess.value(of: target.name, in: object, target.path, run.crypts),
      origin: (object, target.name),
      path: target.path,
      isEmptyForNil: target.reference.isEmptyForNil
    )
    try statement.bind(run.stored(binding, place, for: statement), at: target.parameter)
  }

  // MARK: - Paths

  private func choosePaths(for object: Any) throws {
    let places = targets.map { run.crypts.place(of: $0.name, in: object) }
    let entity = asEntity(object)
    let schema = entity.map { Swift.type(of: $0).entitySchema }
    for (target, place) in zip(targets, places)
    where place == nil && schema?.property(named: target.name)?.isSealed == true {
      throw ObjectAccess.unsealed(target.path, target.name, of: Swift.type(of: object))
    }
    // The type's own code gives each property once, so a property that is wanted again is read by its name. So is a
    // property with sealed properties in it, which an entity's code would bind unchecked.
    var names: Set<String> = []
    let isPlain = zip(targets, places).map { target, place in
      names.insert(target.name).inserted && place == nil && !target.reference.isEmptyForNil
        && !(schema?.property(named: target.name).map(run.crypts.mayBeInside) ?? false)
    }
    let plain = targets.indices.filter { isPlain[$0] }
    let all = zip(targets, places).map { ($0, $1) }
    bindOwn = nil
    if let entity {
      bindOwn = entityBinding(entity, plain.map { targets[$0] })
    } else if Self.hasMembers(object) {
      bindOwn = memberBinding(plain.map { targets[$0] })
    } else if !(object is any LoopCollection),
      let object = object as? any Encodable
    {
      let sealed = run.crypts.isEmpty || targets.isEmpty ? [] : run.crypts.names(of: object)
      bindOwn = codedBinding(object, plain.map { targets[$0] }, sealed)
    }
    others = bindOwn == nil ? all : all.indices.filter { !isPlain[$0] }.map { all[$0] }
  }

  /// Whether an object is a dictionary whose keys are texts.
  private static func hasMembers(_ object: Any) -> Bool {
    if exact(object, [String: Any].self) != nil { return true }
    // The cast copies and converts all members, and only a dictionary or one of Foundation's objects passes it.
    let type = Swift.type(of: object)
    return (type is any AnyDictionary.Type || type is AnyClass) && object is [String: Any?]
  }

  private func entityBinding<E: Entity>(_: E, _ targets: [Target]) -> ((Any) throws -> Void)? {
    let wanted = targets.compactMap { target in
      E.entitySchema.property(named: target.name).map { ($0, target.parameter) }
    }
    guard wanted.count == targets.count,
      let binder = EntityBinder(E.self, wanted, statement, on: run.database)
    else { return nil }
    return onValue { (object: E) in try binder.bind(object) }
  }

  /// Binds the members of a dictionary; nil if a name means the element of a list.
  private func memberBinding(_ targets: [Target]) -> ((Any) throws -> Void)? {
    if targets.contains(where: { ReferencePath.index($0.name) != nil }) { return nil }
    let members = targets.map { (name: $0.name, target: $0) }
    // Unowned, because the reader keeps the closure.
    return { [unowned self] object in
      if let values = exact(object, [String: Any].self) {
        for (name, target) in members { try bind(member: values[name], target, of: object) }
      } else if let values = object as? [String: Any?] {
        // This cast copies the members, so it is done once for all of them.
        for (name, target) in members {
          try bind(member: values[name, default: nil], target, of: object)
        }
      } else {
        // Whether the keys are texts is known of each dictionary alone.
        for (_, target) in members { try bind(target, nil, of: object) }
      }
    }
  }

  private func bind(member value: Any?, _ target: Target, of object: Any) throws {
    guard let value else {
      // A dictionary without a member of that name gives the number of its members.
      if target.name == "count" { return try bind(target, nil, of: object) }
      return try statement.bindNull(at: target.parameter)
    }
    if try ArgumentBinding.bind(value, to: statement, at: target.parameter) { return }
    try bind(target, nil, of: object)
  }

  /// Binds the fields that a value encodes.
  ///
  /// Each value is checked for the sealed names of its class, because each may encode other names.
  private func codedBinding<T: Encodable>(
    _: T,
    _ targets: [Target],
    _ sealed: [String]
  ) -> ((Any) throws -> Void)? {
    capture?.end()
    let names = targets.map(\.name) + sealed
    let capture = FieldBinding(names, statement, targets.map(\.parameter))
    self.capture = capture
    let take = onValue { (object: T) in try capture.take(object) }
    // Unowned, because the reader keeps the closure.
    return { [unowned self] object in
      try take(object)
      if !sealed.isEmpty, let path = self.targets.first?.path {
        try run.crypts.checkNames(sealed, of: object, path, capture.field)
      }
      if !capture.isBound { try bindRest(of: object, capture, targets) }
    }
  }

  /// Binds the fields that a value's own code gave but could not bind.
  private func bindRest(of object: Any, _ capture: FieldBinding, _ targets: [Target]) throws {
    for (slot, target) in targets.enumerated() where !capture.isBound(slot) {
      switch capture.fields[slot] {
      case .value(let value): try statement.bind(value, at: target.parameter)
      case .object(let value):
        try run.refuseWhole(value, target.path)
        try statement.bind(ArgumentBinding.stored(value, target.path), at: target.parameter)
      case .missing: try bind(target, nil, of: object)
      }
    }
  }
}
