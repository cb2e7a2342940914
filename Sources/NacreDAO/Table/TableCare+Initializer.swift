import NacreCore

extension TableCare {
  /// Makes what the initializer has come to make since the table was made, such as a new index.
  ///
  /// It runs the initializer's statements of the form `CREATE … IF NOT EXISTS`, which change nothing that is there.
  func completeTable() throws {
    guard let initializer = module.initializer,
      let method = run.setup.compiled.method(initializer, arity: 0)
    else { return }
    do {
      let values = CallValues(run.setup)
      if let body = try repeatable(method.body, values) { _ = try run.run(body, values) }
    } catch {
      let error = method.located(error)
      throw (error as? NacreError)?.during("the initializer “\(initializer)”") ?? error
    }
  }

  /// The part of a body that can run again on a table that is there; nil if there is none.
  private func repeatable(_ body: CompiledBody, _ values: CallValues) throws -> CompiledBody? {
    switch body {
    case .statement(let statement), .attempt(let statement, except: _):
      return try isRepeatable(statement, values) ? body : nil
    case .steps(let steps):
      return .steps(try steps.filter { try isRepeatable($0.statement, values) })
    }
  }

  private func isRepeatable(_ statement: CompiledStatement, _ values: CallValues) throws -> Bool {
    switch statement {
    case .nameless: return false
    case .fixed(let fixed): return SQLTokens([.text(fixed.sql)]).isRepeatable
    case .dynamic(let nodes, _):
      let table = run.setup.compiled.tableName
      let rendered = try TemplateRendering.statement(of: nodes, values, tableName: table)
      return SQLTokens([.text(rendered.sql)]).isRepeatable
    }
  }
}

extension SQLTokens {
  /// Whether a statement makes something only if it is not there: `CREATE … IF NOT EXISTS`.
  fileprivate var isRepeatable: Bool {
    let condition: [Kind] = [.word("if"), .word("not"), .word("exists")]
    let start = all.prefix(8).map(\.kind)
    guard start.first == .word("create") else { return false }
    return start.indices.contains { start[$0...].starts(with: condition) }
  }
}
