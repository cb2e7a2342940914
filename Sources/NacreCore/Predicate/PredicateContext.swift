import Foundation
import NacreEngine
import NacreStore

/// The state of translating one predicate: the terms that its variables stand for, and the connection that it is for.
final class PredicateContext {
  /// The statements of the table whose rows the predicate is about.
  private let root: RowStatements
  let session: EntitySession
  private var variables: [PredicateExpressions.VariableID: PredicateTerm] = [:]
  /// The variables that stand for captured values, in the form that Foundation needs to evaluate an expression.
  private var bindings = PredicateBindings()
  private var aliasCount = 0
  /// The forms in which captured values became arguments, in order.
  private(set) var boundForms: [StoredForm] = []
  /// Whether the condition names rows that a search has found, so that it holds at this time alone.
  var namesFoundRows = false

  init(_ root: RowStatements) {
    self.root = root
    session = root.session
  }

  /// Translates a whole predicate into a condition on one row of the table.
  func condition<Row>(_ predicate: Predicate<Row>) throws -> Condition {
    let row = ObjectTerm(row: root.schema.table, of: root.schema)
    bind(predicate.variable, to: .object(row))
    let sql = try condition(predicate.expression).sql
    let text = try session.connection.dialect.condition(sql.text) { NamedColumns() }
    return Condition(text: text, arguments: sql.arguments, isMade: true)
  }

  /// Makes a table alias that no other part of the condition uses.
  func makeAlias() -> String {
    aliasCount += 1
    return "nacre_\(aliasCount)"
  }

  func bind<V>(_ variable: PredicateExpressions.Variable<V>, to term: PredicateTerm) {
    variables[variable.key] = term
    if case .captured(let value) = term, let value = value as? V {
      bindings = bindings.binding(variable, to: value)
    }
  }

  func term<V>(of variable: PredicateExpressions.Variable<V>) throws -> PredicateTerm {
    guard let term = variables[variable.key] else {
      throw NacreError.untranslatable("a variable of another predicate")
    }
    return term
  }

  /// The pieces of SQL that are the engine's own.
  var dialect: any Dialect { session.connection.dialect }

  /// Makes a function callable on the connection and returns its name.
  ///
  /// - Throws: `untranslatablePredicate` for a function that would not compute as Swift does.
  func name(of function: EngineFunction) throws -> String {
    guard dialect.calls(function) else {
      throw NacreError.untranslatable(
        "a text without its case or in the order of a language: the store's server does that otherwise than Swift",
        instead: "compare the text itself, or fetch with filteringInMemory"
      )
    }
    return try session.name(of: function)
  }

  /// SQL for whether a value is in a list.
  func isOneOf(_ value: SQLFragment, _ list: [Value]) throws -> SQLFragment {
    PredicateSQL.isOneOf(value, PackedValues(values: list), try session.listItem, dialect)
  }

  /// The statements of a table that the predicate looks at.
  func statements(for schema: RowSchema) throws -> RowStatements {
    // Records refer to no other table, and what an entity refers to is an entity.
    guard let schema = schema as? EntitySchema else { return root }
    return try session.statements(for: schema).row
  }

  // MARK: Translating

  func term(_ expression: some PredicateExpression) throws -> PredicateTerm {
    if let expression = expression as? any SQLTranslatable { return try expression.term(self) }
    let name = String(String(describing: type(of: expression)).prefix { $0 != "<" })
    return try constant(expression, or: Self.withoutSQL[name] ?? "`\(name)`")
  }

  /// The words of errors for expressions that have no SQL, with advice, by the expression's type.
  private static let withoutSQL = [
    "StringContainsRegex": "a regular expression; use contains or starts(with:)",
    "CollectionIndexSubscript": "a subscript; a relationship has first and last",
    "CollectionRangeSubscript": "a subscript by a range",
    "DictionaryKeySubscript": "a subscript of a dictionary",
    "DictionaryKeyDefaultValueSubscript": "a subscript of a dictionary",
    "SequenceMaximum": "`max` of stored values; order by the property",
    "SequenceMinimum": "`min` of stored values; order by the property",
  ]

  /// Evaluates an expression that contains only captured values.
  func constant(_ expression: some PredicateExpression, or what: String) throws -> PredicateTerm {
    do {
      return .captured(try expression.evaluate(bindings))
    } catch is PredicateError {
      // Don't compare the error with a particular one: Foundation's `==` of two such errors never returns if the
      // variable is not bound.
      throw NacreError.untranslatable(what)
    }
  }

  /// A Bool expression, whose NULL means false.
  func condition<X: PredicateExpression>(_ expression: X) throws -> ScalarTerm
  where X.Output == Bool {
    var condition = try scalar(term(expression))
    condition.isCondition = true
    if !condition.isTruth, dialect.hasTruthValues {
      condition.sql = PredicateSQL.condition(ofNumber: condition.sql)
    }
    condition.isTruth = true
    return condition
  }

  /// Returns a term as a value, which can be compared with a stored one.
  func value(_ term: ScalarTerm) -> ScalarTerm {
    guard term.isTruth, dialect.hasTruthValues else { return term }
    var term = term
    term.sql = PredicateSQL.number(ofCondition: term.sql)
    term.isTruth = false
    return term
  }

  func scalar(_ term: PredicateTerm, as form: StoredForm = .natural) throws -> ScalarTerm {
    switch term {
    case .scalar(let scalar): return scalar
    case .captured(let value):
      let stored = try form.encode(value)
      if stored != .null { boundForms.append(form) }
      return ScalarTerm(
        sql: PredicateSQL.typed(stored, dialect),
        isNullable: stored == .null,
        form: form
      )
    case .sealed(let sealed): throw sealed.refusal()
    case .object, .link:
      throw NacreError.untranslatable(
        "a whole object as a value",
        instead: "compare its objectID or another property"
      )
    case .collection:
      throw NacreError.untranslatable(
        "a whole relationship as a value",
        instead: "use its count, isEmpty, contains, allSatisfy or filter"
      )
    case .range: throw NacreError.untranslatable("a range as a value")
    }
  }

  /// Two values to compare or compute with; a captured value is encoded in the stored form of the other one.
  func pair(
    _ a: PredicateTerm,
    _ b: PredicateTerm
  ) throws -> (a: ScalarTerm, b: ScalarTerm) {
    let form: StoredForm =
      switch (a, b) {
      case (.scalar(let scalar), .captured), (.captured, .scalar(let scalar)): scalar.form
      default: .natural
      }
    let (a, b) = (value(try scalar(a, as: form).settled), value(try scalar(b, as: form).settled))
    if case .property(let one, let schema) = a.form, case .property(let other, _) = b.form {
      try StoredComparison.check(one, other, schema)
    }
    return (a, b)
  }
}
