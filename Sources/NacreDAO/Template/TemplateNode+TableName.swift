extension TemplateNode {
  /// The same node with a table's name, as SQL writes it, in place of every `.tableName`.
  func naming(_ table: String) -> TemplateNode {
    let named = { (nodes: [TemplateNode]) in nodes.map { $0.naming(table) } }
    switch self {
    case .text, .tablePart, .bind, .splice, .pairs, .definition: return self
    case .tableName: return .text(table)
    case .conditional(let condition, let nodes): return .conditional(condition, named(nodes))
    case .choice(let branches, let otherwise):
      let branches = branches.map { Branch(condition: $0.condition, nodes: named($0.nodes)) }
      return .choice(branches, otherwise: named(otherwise))
    case .loop(var loop):
      loop.nodes = named(loop.nodes)
      return .loop(loop)
    case .trim(let trim, let nodes): return .trim(trim, named(nodes))
    }
  }
}
