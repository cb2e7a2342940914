extension TemplateNode.Definition {
  /// The value that the name gets: that of a path as it is, so that `#{name.property}` reads its properties.
  ///
  /// - Throws: `DAOValue.Failure` for a sealed property or a part of one, which would be bound unsealed under the name.
  func evaluated(_ values: some TemplateValues) throws -> Any? {
    if case .path(let path) = value { return try values.part(at: path) }
    switch try value.evaluated({ DAOValue.operand(try values.part(at: $0)) }) {
    case .null, .object: return nil
    case .flag(let flag): return flag
    case .integer(let number): return Int(truncatingIfNeeded: number)
    case .real(let number): return number
    case .text(let text): return text
    }
  }
}
