import NacreCore

/// The statement that a template was rendered to, with the values of its parameters.
struct RenderedStatement {
  var sql = ""
  var bindings: [Binding] = []
  /// Whether the statement must not be run, which counts as success.
  var isQuit = false
  /// Whether the SQL contains a value as it is, without quotes.
  var hasRawText = false

  /// One parameter's value, with the facts that decide in which form it is bound, and whether it is sealed.
  struct Binding {
    let value: Any?
    /// The object and property that the value came from; nil if it is no property.
    ///
    /// The object is nil if an object on the path is nil.
    let origin: (object: Any?, property: String)?
    /// The path to the value, which errors name.
    var path: ReferencePath?
    /// Whether nil becomes an empty text.
    var isEmptyForNil = false
    /// The index of the outermost `<foreach>`'s element that the value belongs to.
    var element: Int?
    /// Whether the value is a part of a property that is sealed as a whole.
    var isOfSealed = false

    /// Refuses a part of a sealed property, which would be stored unsealed; an expression may look at it.
    func refusePart() throws {
      if !isOfSealed { return }
      throw DAOValue.Failure(
        message: "“\(path?.description ?? "a value")” is a part of a sealed property, and would be "
          + "stored unsealed; name the property"
      )
    }

    /// Refuses a property that its entity seals, if it would become a part of the SQL or be taken apart.
    func refuseSealed() throws {
      guard let (object, property) = origin, let object else { return }
      guard ObjectAccess.isSealed(property, in: object) else { return }
      throw ObjectAccess.unsealed(path, property, of: type(of: object))
    }
  }
}

/// Gives a template the values it refers to.
protocol TemplateValues {
  /// The value at the end of a path.
  ///
  /// - Throws: the mistake in the path, such as an unknown name.
  func value(of path: ReferencePath) throws -> RenderedStatement.Binding
  /// The same values with one more name.
  func adding(_ name: String, _ value: Any?) -> Self
}

extension TemplateValues {
  /// The value that a reference's parameter is bound to.
  func binding(of reference: TemplateReference) throws -> RenderedStatement.Binding {
    var binding = try value(of: reference.path)
    binding.isEmptyForNil = reference.isEmptyForNil
    return binding
  }

  /// The value at a path, for use as a part of a statement.
  func part(at path: ReferencePath) throws -> Any? {
    let binding = try value(of: path)
    try binding.refusePart()
    try binding.refuseSealed()
    return binding.value
  }
}

/// Renders a template's nodes to a statement.
struct TemplateRendering<Values: TemplateValues> {
  var sql = RenderedSQL()
  private var bindings: [RenderedStatement.Binding] = []
  private let tableName: String
  private var isQuit = false
  /// The index of the outermost loop's element that is being rendered.
  private var element: Int?
  /// Whether `ignoreAfter` has ended the statement.
  private var isEnded = false
  private var hasRawText = false
  /// The lists, dictionaries and unquoted texts that were empty.
  var absent: [ReferencePath] = []
  /// The first of them whose absence removes a condition.
  var droppedCondition: ReferencePath?

  private init(tableName: String) { self.tableName = tableName }

  /// The statement of a template; a statement without SQL must not be run, which counts as success.
  ///
  /// - Throws: `DAOValue.Failure` and `EvaluationError` for values that a template can't use; the errors of `values`.
  static func statement(
    of nodes: [TemplateNode],
    _ values: Values,
    tableName: String
  ) throws -> RenderedStatement {
    var rendering = TemplateRendering(tableName: tableName)
    let part = rendering.sql.begin()
    do { try rendering.append(nodes, values) } catch {
      throw rendering.element.map { NacreError.located(error, atElement: $0) } ?? error
    }
    if rendering.isQuit { return RenderedStatement(isQuit: true) }
    _ = rendering.sql.end(part)
    let text = rendering.sql.text
    if !rendering.absent.isEmpty { try rendering.refuseAbsence(in: text) }
    return RenderedStatement(
      sql: text,
      bindings: rendering.bindings,
      hasRawText: rendering.hasRawText
    )
  }

  private mutating func append(_ nodes: [TemplateNode], _ values: Values) throws {
    for (index, node) in nodes.enumerated() {
      if isEnded || isQuit { return }
      if case .definition(let definition) = node {
        // Few lists define a name, and a copy of the values for every list would cost more than its nodes.
        let more = values.adding(definition.name, try definition.evaluated(values))
        sql.seam()
        return try append(Array(nodes[(index + 1)...]), more)
      }
      try append(node, values)
    }
  }

  private mutating func append(_ node: TemplateNode, _ values: Values) throws {
    switch node {
    case .text(let text): sql.append(text)
    case .tableName, .tablePart: sql.append(tableName)
    case .bind(let reference): try bind(reference, values)
    case .splice(let reference): try splice(reference, values)
    default:
      let isInComment = sql.isInComment()
      sql.seam()
      try append(block: node, values)
      sql.seam()
      if !isInComment { sql.closeComment() }
    }
  }

  private mutating func append(block node: TemplateNode, _ values: Values) throws {
    switch node {
    case .text, .tableName, .tablePart, .bind, .splice: try append(node, values)
    // It is part of a list, and gives its name to what follows there.
    case .definition: break
    case .conditional(let condition, let nodes):
      if try condition.holds(values) { try append(nodes, values) }
    case .choice(let branches, let otherwise):
      let chosen = try branches.first { try $0.condition.holds(values) }
      try append(chosen?.nodes ?? otherwise, values)
    case .loop(let loop): try append(loop, values)
    case .trim(let trim, let nodes): try append(trim, nodes, values)
    case .pairs(let pairs): try append(pairs, values)
    }
  }

  private mutating func bind(_ reference: TemplateReference, _ values: Values) throws {
    var binding = try values.binding(of: reference)
    binding.element = element
    bindings.append(binding)
    sql.appendParameter()
  }

  // MARK: - Blocks

  /// Renders a loop; an element without SQL gets no separator either.
  private mutating func append(_ loop: TemplateNode.Loop, _ values: Values) throws {
    let elements = try DAOValue.loopElements(
      of: values.part(at: loop.collection),
      named: loop.collection
    )
    let start = sql.mark()
    sql.append(loop.open, keepsBlanks: true)
    sql.seam()
    var isFirst = true
    let outer = element
    for index in elements.values.indices {
      let number = loop.isReversed ? elements.values.count - 1 - index : index
      if outer == nil { element = number }
      let whole = sql.begin()
      if !isFirst { sql.append(loop.separator, keepsBlanks: true) }
      sql.seam()
      let part = sql.begin()
      var inner = values.adding(loop.item, elements.values[number])
      if let name = loop.index { inner = inner.adding(name, elements.key(at: number)) }
      try append(loop.nodes, inner)
      if isQuit { return }
      let hasText = sql.end(part)
      if hasText { _ = sql.end(whole) } else { sql.cancel(whole) }
      sql.seam()
      if hasText { isFirst = false }
      if isEnded { break }
    }
    element = outer
    if isFirst {
      if let empty = loop.empty {
        sql.cancel(start)
        return sql.append(empty, keepsBlanks: true)
      }
      noteAbsence(of: loop.collection, leaving: loop.open + loop.close)
    }
    sql.append(loop.close, keepsBlanks: true)
  }

  private mutating func append(
    _ trim: TemplateNode.Trim,
    _ nodes: [TemplateNode],
    _ values: Values
  ) throws {
    let whole = sql.begin()
    if !trim.prefix.isEmpty {
      sql.append(trim.prefix)
      sql.append(" ")
    }
    let part = sql.begin()
    try append(nodes, values)
    if isQuit { return }
    guard sql.end(part, dropping: trim.prefixOverrides, trim.suffixOverrides) else {
      sql.cancel(whole)
      switch trim.onVoid {
      case .goOn: break
      case .ignoreAfter: isEnded = true
      case .quit: isQuit = true
      }
      return
    }
    if !trim.suffix.isEmpty {
      sql.append(" ")
      sql.append(trim.suffix)
    }
    _ = sql.end(whole)
  }

  private mutating func append(_ format: TemplateNode.Pairs, _ values: Values) throws {
    let pairs = try DAOValue.pairs(of: values.part(at: format.path), named: format.path)
    let prefix = format.prefix.isEmpty ? "" : format.prefix + " "
    if pairs.isEmpty {
      if let empty = format.empty { return sql.append(empty, keepsBlanks: true) }
      return noteAbsence(of: format.path, leaving: "", behind: prefix)
    }
    let terms = pairs.map { SQLText.name($0.name) + " = ?" }
    let separator = format.join == "," ? ", " : " \(format.join) "
    sql.append(prefix)
    sql.append(terms.joined(separator: separator))
    bindings += pairs.map { RenderedStatement.Binding(value: $0.value, origin: nil) }
  }

  // MARK: - Splicing

  /// Puts a value into the text.
  ///
  /// A text gets its own quotes, unless the configuration has put quotes around it.
  private mutating func splice(_ reference: TemplateReference, _ values: Values) throws {
    let path = reference.path
    let value = try values.part(at: path)
    let state = sql.state()
    if DAOValue.isNil(value) { return try spliceNil(reference, state) }
    let (text, isText) = try DAOValue.spliced(value, named: path)
    if reference.isUnquoted && isText {
      hasRawText = true
      if text.isEmpty { absent.append(path) }
    }
    if text.utf8.contains(0) {
      throw DAOValue.Failure(message: "“\(path)” contains a NUL, which ends SQL; write #{\(path)}")
    }
    switch state {
    case .plain where isText && !reference.isUnquoted:
      sql.append(value: "'" + text.doubling(UInt8(ascii: "'")) + "'")
    case .plain:
      // Two minus signs would begin a comment.
      if sql.ends(with: UInt8(ascii: "-")), text.hasPrefix("-") { sql.append(" ") }
      sql.append(value: text)
    case .quoted(let quote):
      // A quote in the value would end those of the configuration.
      sql.append(value: text.doubling(quote))
    case .bracketed where !text.utf8.contains(UInt8(ascii: "]")): sql.append(value: text)
    case .bracketed:
      throw DAOValue.Failure(message: "“\(path)” contains a ], which can't stand in [ ]")
    case .lineComment, .blockComment:
      throw DAOValue.Failure(message: "@{\(path)} stands in a comment")
    }
  }

  private mutating func spliceNil(
    _ reference: TemplateReference,
    _ state: SQLQuotes.State
  ) throws {
    switch state {
    case .plain where !reference.isEmptyForNil: sql.append("NULL")
    case .plain: if !reference.isUnquoted { sql.append(value: "''") }
    case _ where reference.isEmptyForNil: break
    default:
      let path = reference.path
      throw DAOValue.Failure(
        message: "“\(path)” is nil, which can't stand in quotes; write @{\(path) or \"\"}"
      )
    }
  }
}

extension TemplateNode.Condition {
  fileprivate func holds(_ values: some TemplateValues) throws -> Bool {
    try expression.evaluated { DAOValue.operand(try values.value(of: $0).value) }.isTrue == wanted
  }
}
