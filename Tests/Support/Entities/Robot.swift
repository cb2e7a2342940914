import NacreCore
import Synchronization

/// A property of the entity "Robot" in one version of an application.
struct RobotPart {
  enum Kind { case text, optionalText, number, optionalNumber }
  let name: String
  var kind = Kind.text
  var preset = ""
  var column = ColumnOptions()
  var sealed: SealedOptions?

  init(
    _ name: String,
    _ kind: Kind = .text,
    preset: String = "",
    column: ColumnOptions = .init(),
    sealed: SealedOptions? = nil
  ) {
    self.name = name
    self.kind = kind
    self.preset = preset
    self.column = column
    self.sealed = sealed
  }
}

/// One version of an application.
protocol RobotForm {
  static var parts: [RobotPart] { get }
  static var version: Int { get }
  static var table: String? { get }
  static var tokenizer: Tokenizer { get }
  static func migrate(from old: Int, to new: Int) throws -> [SQLStatement]
}

extension RobotForm {
  static var version: Int { 1 }
  static var table: String? { nil }
  static var tokenizer: Tokenizer { .unicode61 }
  static func migrate(from old: Int, to new: Int) throws -> [SQLStatement] { [] }
}

/// The entity "Robot" as successive versions of an application declare it.
final class Robot<D: RobotForm>: Entity {
  private var texts: [String: String] = [:]
  private var numbers: [String: Int] = [:]
  @exclusivity(unchecked) var entityState = EntityState()

  init() {
    for part in D.parts {
      if part.kind == .text { texts[part.name] = part.preset }
      if part.kind == .number { numbers[part.name] = Int(part.preset) ?? 0 }
    }
  }

  subscript(text name: String) -> String {
    get { texts[name] ?? "" }
    set {
      texts[name] = newValue
      mark(name)
    }
  }

  subscript(optionalText name: String) -> String? {
    get { texts[name] }
    set {
      texts[name] = newValue
      mark(name)
    }
  }

  subscript(number name: String) -> Int {
    get { numbers[name] ?? 0 }
    set {
      numbers[name] = newValue
      mark(name)
    }
  }

  subscript(optionalNumber name: String) -> Int? {
    get { numbers[name] }
    set {
      numbers[name] = newValue
      mark(name)
    }
  }

  private func mark(_ name: String) {
    if let index = D.parts.firstIndex(where: { $0.name == name }) {
      entityState.markChanged(index)
    }
  }

  init(row: RowReader) throws {
    for (index, part) in D.parts.enumerated() {
      let isPlain = part.sealed == nil
      switch part.kind {
      case .text, .optionalText:
        if part.kind == .text {
          texts[part.name] = try isPlain ? row.read(at: index) as String : row.open(at: index)
        } else {
          texts[part.name] = try isPlain ? row.read(at: index) as String? : row.open(at: index)
        }
      case .number:
        numbers[part.name] = try isPlain ? row.read(at: index) as Int : row.open(at: index)
      case .optionalNumber:
        numbers[part.name] = try isPlain ? row.read(at: index) as Int? : row.open(at: index)
      }
    }
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    for (index, part) in D.parts.enumerated() {
      let isPlain = part.sealed == nil
      switch part.kind {
      case .text:
        let value = texts[part.name] ?? ""
        try isPlain ? row.bind(value, at: index) : row.seal(value, at: index)
      case .optionalText:
        let value = texts[part.name]
        try isPlain ? row.bind(value, at: index) : row.seal(value, at: index)
      case .number:
        let value = numbers[part.name] ?? 0
        try isPlain ? row.bind(value, at: index) : row.seal(value, at: index)
      case .optionalNumber:
        let value = numbers[part.name]
        try isPlain ? row.bind(value, at: index) : row.seal(value, at: index)
      }
    }
  }

  func visitChildren(_ walk: GraphWalk) {}

  static var entityVersion: Int { D.version }

  static func migrate(from old: Int, to new: Int) throws -> [SQLStatement] {
    try D.migrate(from: old, to: new)
  }

  static var entitySchema: EntitySchema {
    robotSchemas.withLock { schemas in
      if let known = schemas[ObjectIdentifier(D.self)] { return known }
      var builder = EntitySchemaBuilder(
        Robot<D>.self,
        name: "Robot",
        table: D.table,
        tokenizer: D.tokenizer
      )
      for part in D.parts {
        let (name, column, sealed) = (part.name, part.column, part.sealed)
        switch part.kind {
        case .text: builder.add(name, \Robot<D>[text: name], column: column, sealed: sealed)
        case .optionalText:
          builder.add(name, \Robot<D>[optionalText: name], column: column, sealed: sealed)
        case .number: builder.add(name, \Robot<D>[number: name], column: column, sealed: sealed)
        case .optionalNumber:
          builder.add(name, \Robot<D>[optionalNumber: name], column: column, sealed: sealed)
        }
      }
      let schema = builder.build()
      schemas[ObjectIdentifier(D.self)] = schema
      return schema
    }
  }
}

extension Robot {
  /// Stores a robot.
  @discardableResult
  static func store(in store: Store, _ change: (Robot) -> Void = { _ in }) throws -> Robot {
    let robot = Robot.create()
    change(robot)
    try store.write { _ in try robot.save() }
    return robot
  }

  /// Makes the tables, and nothing else.
  static func use(in store: Store) throws { _ = try store.read { _ in try Robot.count() } }

  /// Returns one property of all robots, in order.
  static func texts(_ name: String, in store: Store) throws -> [String?] {
    try store.read { _ in try Robot.fetchAll().map { $0[optionalText: name] } }
      .sorted { ($0 ?? "") < ($1 ?? "") }
  }
}

/// The schemas are kept here, because a generic class can't have stored static properties.
private let robotSchemas = Mutex<[ObjectIdentifier: EntitySchema]>([:])

extension Scene {
  /// Returns the names of a table's columns.
  func columns(of table: String) throws -> [String] {
    try reading { try $0.columns(of: table).map(\.name) }
  }
}
