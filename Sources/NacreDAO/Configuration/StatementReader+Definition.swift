extension StatementReader {
  /// Reads `<bind>`.
  mutating func definition(of element: MarkupElement) -> TemplateNode? {
    let attributes = AttributeReader(element, issues)
    attributes.allow(["name", "value"])
    attributes.refuseContents()
    guard let name = attributes.required("name"), attributes.required("value") != nil,
      let value = element.attribute("value")
    else { return nil }
    guard ReferencePath.isName(name) else {
      attributes.note("“\(name)” can't be the name of a value", "name")
      return nil
    }
    refuseHiddenNames(in: value)
    hide(name)
    do throws(ExpressionError) {
      let expression = try ExpressionParser.parse(value.text)
      for path in expression.paths where path.names.contains(where: sealedProperties.contains) {
        issues.note(
          "“\(name)” would hold the sealed property “\(path)”, or a part of it, unsealed; name the "
            + "object in <bind>, and write #{\(name).property}",
          at: value.place
        )
      }
      return .definition(.init(name: name, value: expression))
    } catch {
      issues.note(error.message, at: value.place(atCharacter: error.offset))
      return nil
    }
  }
}

extension Expression {
  /// The paths that the expression names.
  var paths: [ReferencePath] {
    switch self {
    case .literal: []
    case .path(let path): [path]
    case .unary(_, let operand): operand.paths
    case .binary(_, let left, let right): left.paths + right.paths
    }
  }
}
