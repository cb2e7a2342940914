import NacreCore

/// Compares the methods of a protocol with those of a configuration, and notes the mismatches.
struct SignatureCheck {
  let module: DAOModule
  let models: ModelTable
  let issues: ConfigurationIssues

  func check(_ signatures: [DAOSignature]) {
    for signature in signatures {
      if let method = module.methods[.init(id: signature.id, arity: signature.arguments.count)] {
        checkLoop(method, signature)
        checkResult(method, signature)
      } else {
        noteMissing(signature)
      }
    }
  }

  private func noteMissing(_ signature: DAOSignature) {
    let others = module.methods.values.filter { $0.id == signature.id }
      .sorted { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
    guard let first = others.first else {
      return issues.note(
        "\(signature.place) declares a method “\(signature.id)”, and the configuration has none "
          + "of this name",
        at: .whole
      )
    }
    let counts = Set(others.map(\.arguments.count)).sorted().map(String.init)
    let known = counts.joined(separator: " or ") + (counts == ["1"] ? " argument" : " arguments")
    issues.note(
      "“\(signature.id)” takes \(known), and \(signature.place) declares "
        + "\(signature.arguments.count)",
      at: first.place
    )
  }

  private func checkLoop(_ method: DAOMethod, _ signature: DAOSignature) {
    guard let loop = method.loop,
      let index = method.arguments.firstIndex(where: { $0.name == loop.collection })
    else { return }
    let type = unwrapped(signature.arguments[index])
    if type is any LoopCollection.Type || DAOSignature.isExistential(type) { return }
    issues.note(
      "“\(method.id)” runs for each element of “\(loop.collection)”, which \(signature.place) "
        + "declares as \(type): it must be an array or a set",
      at: method.place
    )
  }

  // MARK: - Results

  private func checkResult(_ method: DAOMethod, _ signature: DAOSignature) {
    let type = signature.result
    if type == DAOResult.self { return }
    let declared = "\(signature.place) declares \(type == Void.self ? "no result" : "\(type)")"
    guard method.kind == .select, let result = method.result else {
      if type == Void.self { return }
      let why = method.kind == .select ? "no result" : "no value: it is <\(method.kind.rawValue)>"
      return issues.note("“\(method.id)” has \(why), and \(declared)", at: method.place)
    }
    var gives = result.isArray ? "an array of \(result.element)" : "one \(result.element)"
    if let loop = method.loop { gives += " for each element of “\(loop.collection)”" }
    if !holds(type, result, isLooped: method.loop != nil) {
      issues.note("“\(method.id)” gives \(gives), and \(declared)", at: method.place)
    }
  }

  /// Whether a select's result can be returned as a type, if its rows are as the configuration says.
  private func holds(_ type: any Any.Type, _ result: ResultType, isLooped: Bool) -> Bool {
    let type = unwrapped(type)
    if DAOSignature.isExistential(type) { return true }
    if isLooped || result.isArray {
      guard let array = type as? any ArrayType.Type else { return false }
      return isLooped
        ? holds(array.contentType, result, isLooped: false)
        : holds(unwrapped(array.contentType), result.element)
    }
    return holds(type, result.element)
  }

  private func holds(_ type: any Any.Type, _ element: ResultType.Element) -> Bool {
    if DAOSignature.isExistential(type) { return true }
    let stored = (type as? any StorableValue.Type)?.storageClass
    switch element {
    case .int, .longLong, .bool: return stored == .integer || stored == .real
    case .double: return stored == .real
    case .string: return stored == .text
    case .binary: return stored == .blob
    case .dictionary: return type is any NamedValues.Type
    case .object(let name): return holds(type, model: name)
    case .map(let id): return module.maps[id].map { holds(type, model: $0.type) } ?? true
    }
  }

  /// Whether a type can hold a model; a name that is no model is true here, because it is noted elsewhere.
  private func holds(_ type: any Any.Type, model name: String) -> Bool {
    guard let model = models.model(name) else { return true }
    return ModelTable.Model(type: type).includes(model.type)
  }
}
