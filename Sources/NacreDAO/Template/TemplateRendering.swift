/// A statement that a template was made to, with what its parameters are bound to.
struct RenderedStatement {
  var sql = ""
  var bindings: [Binding] = []
  /// Whether the statement is not to be run, which is success.
  var isQuit = false

  /// One parameter's value, with what of it decides whether it is sealed.
  struct Binding {
    let value: Any?
    /// The class and property that it came from, where it came from an object.
    let origin: (type: Any.Type, property: String)?
  }
}

/// Gives a template the values it refers to.
protocol TemplateValues {
  /// The value at the end of a path.
  ///
  /// - Throws: what is wrong with the path: a name that nobody provides.
  func value(of path: ReferencePath) throws -> RenderedStatement.Binding
  /// The same with one more name.
  func adding(_ name: String, _ value: Any?) -> Self
}

/// Makes a statement of a template's nodes.
struct TemplateRendering<Values: TemplateValues> {
  private(set) var statement = RenderedStatement()
  private let tableName: String
  /// Whether `ignoreAfter` has ended the statement.
  private var isEnded = false

  init(tableName: String) { self.tableName = tableName }

  /// The statement of a template.
  static func statement(
    of nodes: [TemplateNode],
    _ values: Values,
    tableName: String
  ) throws -> RenderedStatement {
    var rendering = TemplateRendering(tableName: tableName)
    try rendering.append(nodes, values)
    rendering.statement.sql = rendering.statement.sql.trimmed
    return rendering.statement
  }

  private mutating func append(_ nodes: [TemplateNode], _ values: Values) throws {
    for node in nodes {
      if isEnded || statement.isQuit { return }
      try append(node, values)
    }
  }

  private mutating func append(_ node: TemplateNode, _ values: Values) throws {
    switch node {
    case .text(let text): statement.sql += text
    case .tableName: statement.sql += tableName
    case .bind(let reference): try bind(reference, values)
    case .splice(let reference): try splice(reference, values)
    case .conditional(let condition, let nodes):
      if try condition.holds(values) { try append(nodes, values) }
    case .choice(let branches, let otherwise):
      let chosen = try branches.first { try $0.condition.holds(values) }
      try append(chosen?.nodes ?? otherwise, values)
    case .loop(let loop): try append(loop, values)
    case .trim(let trim, let nodes): try append(trim, nodes, values)
    case .pairs(let prefix, let path, let join): try append(pairs: path, prefix, join, values)
    }
  }

  private mutating func bind(_ reference: TemplateReference, _ values: Values) throws {
    let binding = try values.value(of: reference.path)
    statement.sql += "?"
    if reference.isEmptyForNil && DAOValue.isNil(binding.value) {
      statement.bindings.append(RenderedStatement.Binding(value: "", origin: binding.origin))
    } else {
      statement.bindings.append(binding)
    }
  }

  // MARK: - Parts with an inside

  /// Renders nodes apart, so that what they make can be looked at; their parameters follow in order.
  private mutating func inside(_ nodes: [TemplateNode], _ values: Values) throws -> String {
    let outer = statement.sql
    statement.sql = ""
    try append(nodes, values)
    defer { statement.sql = outer }
    return statement.sql.trimmed
  }

  private mutating func append(_ loop: TemplateNode.Loop, _ values: Values) throws {
    let elements = try DAOValue.elements(
      of: values.value(of: loop.collection).value,
      named: loop.collection
    )
    var parts: [String] = []
    for element in loop.isReversed ? elements.reversed() : elements {
      parts.append(try inside(loop.nodes, values.adding(loop.item, element)))
      if statement.isQuit { return }
      if isEnded { break }
    }
    statement.sql += loop.open + parts.joined(separator: loop.separator) + loop.close
  }

  private mutating func append(
    _ trim: TemplateNode.Trim,
    _ nodes: [TemplateNode],
    _ values: Values
  ) throws {
    let text = try inside(nodes, values)
    if statement.isQuit { return }
    guard !text.isEmpty else {
      switch trim.onVoid {
      case .goOn: break
      case .ignoreAfter: isEnded = true
      case .quit: statement.isQuit = true
      }
      return
    }
    let kept = text.droppingWords(trim.prefixOverrides, trim.suffixOverrides)
    statement.sql += [trim.prefix, kept, trim.suffix].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  private mutating func append(
    pairs path: ReferencePath,
    _ prefix: String,
    _ join: String,
    _ values: Values
  ) throws {
    let pairs = try DAOValue.pairs(of: values.value(of: path).value, named: path)
    if pairs.isEmpty { return }
    let terms = pairs.map { SQLName.quoted($0.name) + " = ?" }
    let separator = join.trimmed == "," ? ", " : " \(join.trimmed) "
    statement.sql += [prefix.trimmed, terms.joined(separator: separator)]
      .filter { !$0.isEmpty }.joined(separator: " ")
    statement.bindings += pairs.map {
      RenderedStatement.Binding(value: $0.value, origin: nil)
    }
  }

  // MARK: - Splicing

  /// Puts a value into the text: a text in quotes of its own, unless the configuration has put quotes around it.
  private mutating func splice(_ reference: TemplateReference, _ values: Values) throws {
    let value = try values.value(of: reference.path).value
    let quote = statement.sql.openQuote
    if DAOValue.isNil(value) {
      statement.sql += reference.isEmptyForNil ? (quote == nil && !reference.isUnquoted ? "''" : "") : "NULL"
      return
    }
    let (text, isText) = try DAOValue.spliced(value, named: reference.path)
    if let quote {
      // A quote in the value would end those of the configuration.
      statement.sql += text.split(separator: quote, omittingEmptySubsequences: false)
        .joined(separator: "\(quote)\(quote)")
    } else if isText && !reference.isUnquoted {
      statement.sql += "'"
        + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    } else {
      statement.sql += text
    }
  }
}

extension TemplateNode.Condition {
  fileprivate func holds(_ values: some TemplateValues) throws -> Bool {
    try expression.evaluated { DAOValue.operand(try values.value(of: $0).value) }.isTrue == wanted
  }
}

extension String {
  /// The quote within which SQL that ends here is; nil outside of quotes.
  fileprivate var openQuote: Character? {
    var open: Character?
    for character in self where "'\"`".contains(character) {
      if open == nil { open = character } else if open == character { open = nil }
    }
    return open
  }

  /// The text without one of `first` at its beginning and one of `last` at its end.
  ///
  /// Words end where a letter, digit or underscore no longer follows, so that AND is not taken off ANDROID.
  fileprivate func droppingWords(_ first: [String], _ last: [String]) -> String {
    var text = Substring(self)
    if let word = first.first(where: { text.begins(with: $0) }) {
      text = text.dropFirst(word.count)
    }
    if let word = last.first(where: { text.ends(with: $0) }) {
      text = text.dropLast(word.count)
    }
    return String(text).trimmed
  }
}

extension Substring {
  fileprivate func begins(with word: String) -> Bool {
    guard lowercased().hasPrefix(word.lowercased()) else { return false }
    guard word.last?.isWordPart == true, let next = dropFirst(word.count).first else { return true }
    return !next.isWordPart
  }

  fileprivate func ends(with word: String) -> Bool {
    guard lowercased().hasSuffix(word.lowercased()) else { return false }
    guard word.first?.isWordPart == true, let former = dropLast(word.count).last else {
      return true
    }
    return !former.isWordPart
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
