import NacreCore
import NacreOpen

/// A module's methods for one table, with the work that is the same at every call already done.
final class CompiledModule: Sendable {
  let tableName: String
  /// The methods by `bucket`.
  ///
  /// Hashing a name as a dictionary does costs more than binding a parameter.
  private let buckets: [[CompiledMethod]]
  let upgrades: [(version: DAOVersion, body: CompiledBody)]

  init(
    _ module: DAOModule,
    _ readers: [DAOModule.MethodKey: ResultReader],
    tableName: String
  ) {
    self.tableName = tableName
    var buckets = [[CompiledMethod]](repeating: [], count: module.methods.count + 1)
    for (key, method) in module.methods {
      let bucket = Self.bucket(key.id, key.arity, of: buckets.count)
      buckets[bucket].append(CompiledMethod(module.name, method, readers[key], tableName))
    }
    self.buckets = buckets
    upgrades = module.upgrades.map { ($0.version, CompiledBody($0.body, tableName, [])) }
  }
}

extension CompiledModule {
  /// The method with an id and a number of arguments; nil if there is none.
  func method(_ id: String, arity: Int) -> CompiledMethod? {
    for method in buckets[Self.bucket(id, arity, of: buckets.count)]
    where method.arity == arity && method.name.id == id {
      return method
    }
    return nil
  }

  /// Whether an error says that the module's table does not exist.
  func isMissing(_ error: any Error) -> Bool {
    NacreError.isMissing(table: tableName, error)
  }

  private static func bucket(_ id: String, _ arity: Int, of count: Int) -> Int {
    var id = id
    // This reads the bytes in place, because iterating a String's own view costs several times as much.
    return id.withUTF8 { bytes in
      var number = UInt(truncatingIfNeeded: arity)
      for byte in bytes {
        // Equal texts can differ in their bytes if one of these is not ASCII.
        if byte >= 0x80 { return 0 }
        number = number &* 31 &+ UInt(byte)
      }
      return Int(number % UInt(count))
    }
  }
}

final class CompiledMethod: Sendable {
  let name: MethodName
  let method: DAOMethod
  let arity: Int
  let isSelect: Bool
  let body: CompiledBody
  /// Makes a select's result; nil without one.
  let reader: ResultReader?
  /// Whether a call runs just one statement.
  let isSingle: Bool
  /// The indices of the arguments that must not be nil.
  let needed: [Int]

  init(_ module: String, _ method: DAOMethod, _ reader: ResultReader?, _ tableName: String) {
    name = MethodName(module: module, id: method.id)
    self.method = method
    arity = method.arguments.count
    isSelect = method.kind == .select
    self.reader = reader
    body = CompiledBody(method.body, tableName, method.arguments.map(\.name))
    needed = method.arguments.indices.filter { method.arguments[$0].refusesNil }
    isSingle = if case .statement = body { method.loop == nil } else { false }
  }

  /// An error in the method's SQL, with the method's place in the configuration; other errors unchanged.
  func located(_ error: any Error) -> any Error {
    guard let error = NacreError.face(error) as? NacreError, error.code == .badStatement,
      error.entity == nil
    else { return error }
    return error.during("line \(method.place.line), column \(method.place.column)")
  }

  /// The index of an argument's value among those of a call; nil if there is no such argument.
  func index(ofArgument name: String) -> Int? {
    method.arguments.lastIndex { $0.name == name }
  }
}

enum CompiledBody: Sendable {
  case statement(CompiledStatement)
  case steps([(statement: CompiledStatement, isResumable: Bool)])
  case attempt(CompiledStatement, except: CompiledStatement)

  init(_ body: MethodBody, _ tableName: String, _ arguments: [String]) {
    func compiled(_ nodes: [TemplateNode]) -> CompiledStatement {
      CompiledStatement(nodes, tableName, arguments)
    }
    switch body {
    case .statement(let nodes): self = .statement(compiled(nodes))
    case .steps(let steps): self = .steps(steps.map { (compiled($0.nodes), $0.isResumable) })
    case .attempt(let nodes, let except):
      self = .attempt(compiled(nodes), except: compiled(except))
    }
  }
}

/// One statement of a method.
enum CompiledStatement: Sendable {
  /// A statement whose text is the same at every call.
  case fixed(FixedStatement)
  /// A statement whose text depends on the arguments; `hasSplices` says whether values are part of the text.
  case dynamic([TemplateNode], hasSplices: Bool)
  /// A statement that names the DAO's table, while the table has this unusable name.
  case nameless(String)

  init(_ nodes: [TemplateNode], _ tableName: String, _ arguments: [String] = []) {
    let isUsable =
      ReferencePath.isName(tableName) && !SQLText.isReserved(table: tableName)
    if !isUsable && nodes.contains(where: \.namesTable) {
      self = .nameless(tableName)
      return
    }
    let isKeyword = SQLText.isKeyword(tableName)
    let nodes = isKeyword ? nodes.map { $0.naming(SQLText.name(tableName)) } : nodes
    var sql = ""
    var parameters: [TemplateReference] = []
    for node in nodes {
      switch node {
      case .text(let text):
        // A digit behind a parameter's `?` would make it a numbered one, which may be that of another parameter.
        if sql.hasSuffix("?"), text.utf8.first?.isDigit == true { sql += " " }
        sql += text
      case .tableName, .tablePart: sql += tableName
      case .bind(let reference):
        sql += "?"
        parameters.append(reference)
      default:
        self = .dynamic(nodes, hasSplices: nodes.contains(where: \.hasSplices))
        return
      }
    }
    self = .fixed(FixedStatement(sql.trimmed, parameters, arguments))
  }
}

/// The text of a statement that is the same at every call, and what its parameters are bound to.
///
/// A class, because a call passes it on several times.
final class FixedStatement: Sendable {
  let sql: String
  let parameters: [TemplateReference]
  /// The index of the argument that each parameter is bound to; nil if one is bound to something else.
  let places: [Int]?

  init(_ sql: String, _ parameters: [TemplateReference], _ arguments: [String]) {
    (self.sql, self.parameters) = (sql, parameters)
    let found = parameters.compactMap { reference in
      reference.path.names.isEmpty ? arguments.lastIndex(of: reference.path.root) : nil
    }
    places = found.count == parameters.count ? found : nil
  }
}

extension TemplateNode {
  /// The nodes inside of this node.
  private var children: [TemplateNode] {
    switch self {
    case .text, .tableName, .tablePart, .bind, .splice, .pairs, .definition: []
    case .conditional(_, let nodes), .trim(_, let nodes): nodes
    case .choice(let branches, let otherwise): branches.flatMap(\.nodes) + otherwise
    case .loop(let loop): loop.nodes
    }
  }

  fileprivate var namesTable: Bool {
    switch self {
    case .tableName, .tablePart: true
    default: children.contains(where: \.namesTable)
    }
  }

  fileprivate var hasSplices: Bool {
    if case .splice = self { true } else { children.contains(where: \.hasSplices) }
  }
}
