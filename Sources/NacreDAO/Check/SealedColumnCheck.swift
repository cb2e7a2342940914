import NacreCore

/// Finds arguments that a statement would store unsealed in columns of sealed values.
///
/// It follows the SQL as far as it is certain, and ignores the rest.
struct SealedColumnCheck {
  let crypts: CryptRules
  let issues: ConfigurationIssues

  func check(_ module: DAOModule) {
    let columns = crypts.columns
    if columns.isEmpty { return }
    for method in module.methods.values {
      // An item may be an object; its properties are checked when it is bound.
      let names = Set(method.arguments.map(\.name)).subtracting([method.loop?.item ?? ""])
      for nodes in method.body.statements {
        let tokens = SQLTokens(nodes)
        let statement = CheckedStatement(
          columns: columns,
          names: names.union(tokens.definitions),
          tokens: tokens.all
        )
        for found in statement.unsealed() { note(found) }
      }
    }
  }

  private func note(_ found: CheckedStatement.Found) {
    let place = found.place
    issues.note(
      "#{\(found.reference.path)} would be stored unsealed in “\(found.column)”, where <crypt> "
        + "seals the “\(place.property)” of \(place.type); give an object of that class, and write "
        + "#{object.\(place.property)}",
      atReference: found.reference.number
    )
  }
}

extension SealedColumnCheck {
  /// One statement of a method.
  private struct CheckedStatement {
    typealias Found = (reference: TemplateReference, column: String, place: SealedProperty)

    /// The columns of sealed values.
    let columns: [SQLName: SealedProperty]
    /// The names of the arguments, and of the values that `<bind>` names.
    let names: Set<String>
    let tokens: [SQLTokens.Token]

    private func kind(_ index: Int) -> SQLTokens.Kind? {
      tokens.indices.contains(index) ? tokens[index].kind : nil
    }

    private func isWord(_ index: Int, _ words: String...) -> Bool {
      if case .word(let word) = kind(index) { words.contains(word) } else { false }
    }

    private func isSign(_ index: Int, _ sign: Character) -> Bool {
      kind(index) == sign.asciiValue.map(SQLTokens.Kind.sign)
    }

    /// Whether all tokens of a range stand in the same tag.
    private func areTogether(_ range: ClosedRange<Int>) -> Bool {
      tokens[range].allSatisfy { $0.block == tokens[range.lowerBound].block }
    }

    private func column(_ index: Int) -> String? {
      switch kind(index) {
      case .word(let name), .name(let name): name
      default: nil
      }
    }

    /// The parameter at an index if it is a whole argument, or an element of one; nil if it is anything else, such as a
    /// property of an argument.
    private func argument(_ index: Int) -> TemplateReference? {
      guard case .parameter(let reference) = kind(index),
        reference.path.names.allSatisfy({ ReferencePath.index($0) != nil }),
        names.contains(reference.path.root)
      else { return nil }
      return reference
    }

    /// The arguments that would be stored unsealed, with their columns and what these seal.
    func unsealed() -> [Found] {
      var found: [Found] = []
      var hasTable = false
      for index in tokens.indices {
        if isWord(index, "into"), kind(index + 1) == .table {
          hasTable = true
          found += inserted(from: afterAlias(index + 2))
        } else if isWord(index, "update") {
          let table = isWord(index + 1, "or") ? index + 3 : index + 1
          let set = kind(table) == .table ? afterAlias(table + 1) : index + 1
          // An insert's own `do update set` applies to the same table.
          let isOfTable = kind(table) == .table || (hasTable && isWord(index - 1, "do"))
          if isOfTable, isWord(set, "set") { found += assigned(from: set + 1) }
        }
      }
      return found
    }

    private func afterAlias(_ index: Int) -> Int { isWord(index, "as") ? index + 2 : index }

    // MARK: - UPDATE

    private func assigned(from start: Int) -> [Found] {
      var found: [Found] = []
      var depth = 0
      var isStart = true
      for index in start..<max(start, tokens.count) {
        if isSign(index, "(") { depth += 1 }
        if isSign(index, ")") { depth -= 1 }
        if depth < 0 || kind(index) == .unknown || (depth == 0 && isEnd(index)) { break }
        if isStart, let column = column(index), let place = columns[SQLName(column)],
          isSign(index + 1, "="),
          let reference = argument(index + 2), areTogether(index...(index + 2)),
          isSign(index + 3, ",") || kind(index + 3) == nil || isEnd(index + 3)
        {
          found.append((reference, column, place))
        }
        isStart = depth == 0 && isSign(index, ",")
      }
      return found
    }

    /// Whether a list of assignments ends here.
    private func isEnd(_ index: Int) -> Bool {
      isWord(index, "where", "from", "returning", "order", "limit") || isSign(index, ";")
    }

    // MARK: - INSERT

    private func inserted(from start: Int) -> [Found] {
      guard let list = list(from: start), isWord(list.end, "values") else { return [] }
      let names = list.elements.map { $0.count == 1 ? column($0.lowerBound) : nil }
      if names.contains(nil) { return [] }
      var found: [Found] = []
      var next = list.end + 1
      while let row = self.list(from: next) {
        for (name, element) in zip(names, row.elements) where element.count == 1 {
          guard let name, let place = columns[SQLName(name)],
            let reference = argument(element.lowerBound)
          else { continue }
          found.append((reference, name, place))
        }
        guard isSign(row.end, ",") else { break }
        next = row.end + 1
      }
      return found
    }

    /// The elements between the commas of the parentheses that begin at a token, and the index behind them; nil if a
    /// call may make more or fewer of them.
    private func list(from start: Int) -> (elements: [Range<Int>], end: Int)? {
      guard isSign(start, "(") else { return nil }
      var elements: [Range<Int>] = []
      var (depth, first) = (0, start + 1)
      for index in start..<tokens.count {
        if kind(index) == .unknown { return nil }
        if isSign(index, "(") { depth += 1 }
        if isSign(index, ")") { depth -= 1 }
        let isEnd = depth == 0
        guard isEnd || (depth == 1 && isSign(index, ",")) else { continue }
        elements.append(first..<index)
        first = index + 1
        if isEnd { return areTogether(start...index) ? (elements, index + 1) : nil }
      }
      return nil
    }
  }
}

extension MethodBody {
  /// All statements of the body.
  var statements: [[TemplateNode]] {
    switch self {
    case .statement(let nodes): [nodes]
    case .steps(let steps): steps.map(\.nodes)
    case .attempt(let nodes, let except): [nodes, except]
    }
  }
}
