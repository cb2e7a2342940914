import NacreCore

/// Compares the properties that a method's statements name with the argument types that a protocol declares.
struct PropertyCheck {
  let module: DAOModule
  let crypts: CryptRules
  let issues: ConfigurationIssues

  /// Names with the types of their values, the innermost last; nil if a type is not known.
  private typealias Scope = [(name: String, type: (any Any.Type)?)]

  func check(_ signatures: [DAOSignature]) {
    for signature in signatures {
      guard let method = module.methods[.init(id: signature.id, arity: signature.arguments.count)]
      else { continue }
      var scope: Scope = zip(method.arguments, signature.arguments).map { ($0.name, $1) }
      if let loop = method.loop {
        let path = ReferencePath(root: loop.collection, names: [])
        scope.append((loop.item, element(of: path, scope)))
      }
      for nodes in method.body.statements { check(nodes, scope) }
    }
  }

  private func check(_ nodes: [TemplateNode], _ scope: Scope) {
    var scope = scope
    for node in nodes {
      switch node {
      case .text, .tableName, .tablePart, .pairs: break
      case .definition(let definition): scope.append((definition.name, nil))
      case .bind(let reference), .splice(let reference): check(reference, scope)
      case .conditional(_, let nodes), .trim(_, let nodes): check(nodes, scope)
      case .choice(let branches, let otherwise):
        for branch in branches { check(branch.nodes, scope) }
        check(otherwise, scope)
      case .loop(let loop):
        var inner = scope
        inner.append((loop.item, element(of: loop.collection, scope)))
        if let index = loop.index { inner.append((index, nil)) }
        check(loop.nodes, inner)
      }
    }
  }

  private func check(_ reference: TemplateReference, _ scope: Scope) {
    let path = reference.path
    var type = self.type(of: path.root, scope)
    for (index, name) in path.names.enumerated() {
      guard let owner = type else { return }
      switch KnownProperty(name, of: owner) {
      case .unknown: return
      case .missing:
        let message = "“\(path)”: \(owner) has no property “\(name)”"
        return issues.note(message, atReference: reference.number)
      case .found(let next, let isSealed):
        let isLast = index == path.names.count - 1
        if isLast, isSealed, crypts.place(of: name, inType: owner) == nil {
          let failure = ObjectAccess.unsealed(path, name, of: owner)
          issues.note(failure.message, atReference: reference.number)
        }
        type = next.map(unwrapped)
      }
    }
  }

  private func type(of name: String, _ scope: Scope) -> (any Any.Type)? {
    scope.last { $0.name == name }?.type.map(unwrapped)
  }

  /// The type of a collection's elements; nil if it is not known.
  private func element(of path: ReferencePath, _ scope: Scope) -> (any Any.Type)? {
    var type = self.type(of: path.root, scope)
    for name in path.names {
      guard let owner = type, case .found(let next, _) = KnownProperty(name, of: owner) else {
        return nil
      }
      type = next.map(unwrapped)
    }
    guard type is any LoopCollection.Type else { return nil }
    return (type as? any ContainerType.Type)?.contentType
  }
}
