import NacreCore

/// Notes that the statements of one writing call leave behind.
final class RunNotes {
  /// The places that the catalog already knows; each is looked at once, even if many values go there.
  fileprivate var places: Set<SealedProperty> = []
  /// How many rows the last statement changed, without the changes of triggers.
  fileprivate(set) var changedRowCount = 0
  /// How many rows all statements together changed, without the changes of triggers.
  var wholeRowCount = 0
}

/// Runs a method's statements on one connection.
struct StatementRun {
  let database: Database
  let setup: DAOSetup
  /// Nil in a select, which needs no notes.
  let notes: RunNotes?
  /// Whether somebody may have deleted the table since the call looked at it.
  let mayLackTable: Bool

  var crypts: CryptRules { setup.crypts }
  private var tableName: String { setup.compiled.tableName }
  private var sealing: DAOSealing { setup.sealing }

  // MARK: - Values

  /// Makes and binds a statement, and passes it to `body`; returns `nothing` if there is none to run.
  private func withBound<T>(
    _ statement: CompiledStatement,
    _ values: CallValues,
    nothing: @autoclosure () -> T,
    _ body: (any PreparedStatement) throws -> T
  ) throws -> T {
    switch statement {
    case .nameless(let name): throw NacreError.dao(.noTableName, "${T} is “\(name)”")
    case .fixed(let fixed):
      if fixed.sql.isEmpty { return nothing() }
      return try lending(fixed.sql) { prepared in
        try checkParameters(of: prepared, count: fixed.parameters.count)
        try bind(fixed, values, to: prepared)
        return try body(prepared)
      }
    case .dynamic(let nodes, let hasSplices):
      let rendered = try TemplateRendering.statement(of: nodes, values, tableName: tableName)
      if rendered.isQuit || rendered.sql.isEmpty { return nothing() }
      return try withoutValues(hasSplices) {
        try lending(rendered.sql) { prepared in
          try checkParameters(
            of: prepared,
            count: rendered.bindings.count,
            areNamed: rendered.hasRawText
          )
          for (index, binding) in rendered.bindings.enumerated() {
            do {
              try prepared.bind(stored(binding, for: prepared), at: Int32(index + 1))
            } catch {
              throw binding.element.map { NacreError.located(error, atElement: $0) } ?? error
            }
          }
          return try body(prepared)
        }
      }
    }
  }

  /// Reserves a prepared statement for `body`: binding a value may run the application's code, which may call the DAO.
  private func lending<T>(_ sql: String, _ body: (any PreparedStatement) throws -> T) throws -> T {
    let prepared = try database.prepared(sql)
    prepared.lend()
    defer { prepared.takeBack() }
    return try body(prepared)
  }

  /// The value to which a statement's parameter is bound.
  func stored(_ binding: RenderedStatement.Binding, for statement: any PreparedStatement) throws
    -> Value
  {
    try binding.refusePart()
    guard let (object, property) = binding.origin else {
      return try stored(binding, nil, for: statement)
    }
    if object == nil, binding.isEmptyForNil, crypts.mention(property) {
      let path = binding.path?.description ?? property
      throw DAOValue.Failure(
        message:
          "“\(path)” leads through nil, so there is no class for which an empty text could be "
          + "sealed"
      )
    }
    let place = object.flatMap { crypts.place(of: property, in: $0) }
    return try stored(binding, place, for: statement)
  }

  /// The value to which a parameter with a known place is bound.
  ///
  /// NULL becomes an empty text if the configuration says so, and a value with a place is sealed.
  func stored(
    _ binding: RenderedStatement.Binding,
    _ place: SealedProperty?,
    for statement: any PreparedStatement
  ) throws -> Value {
    var value = try form(of: binding, isSealed: place != nil)
    if place == nil { try refuseWhole(binding.value, binding.path) }
    if value == .null && binding.isEmptyForNil { value = .text("") }
    guard let place, value != .null else { return value }
    if sealing.encrypt == nil {
      if statement.onlyCompares {
        throw NacreError.dao(
          .sealedCondition,
          "“\(place.type).\(place.property)” is sealed differently each time, so it would find "
            + "no row"
        )
      }
      try note(place)
    }
    return try sealing.seal(value, place, on: database)
  }

  /// Refuses a value with sealed properties in it that would be stored as a whole, as JSON.
  func refuseWhole(_ value: Any?, _ path: ReferencePath?) throws {
    if crypts.isEmpty && DAOValue.isPlain(value) || !crypts.isInside(value) { return }
    throw DAOValue.Failure(
      message: "“\(path?.description ?? "a value")” has sealed properties and would be stored "
        + "as a whole, unsealed; name its properties"
    )
  }

  /// The stored form: the entity's own for a property of an entity, otherwise that of the value's type.
  private func form(
    of binding: RenderedStatement.Binding,
    isSealed: Bool
  ) throws -> Value {
    if let (object, property) = binding.origin, let object,
      let value = try ObjectAccess.form(of: property, in: object, binding.path, isSealed: isSealed)
    {
      return value
    }
    return try ArgumentBinding.stored(binding.value, binding.path)
  }

  /// Tells the catalog to which columns of the table a place's values go, so that rotation and verification find them.
  private func note(_ place: SealedProperty) throws {
    if let notes, notes.places.contains(place) { return }
    var failure: (any Error)?
    var isNoted = false
    for column in crypts.columns(of: place) {
      do {
        try database.noteDAO(
          table: tableName,
          column: column,
          type: place.type,
          property: place.property
        )
        isNoted = true
      } catch let error as NacreError where error.code == .unsuitableColumn {
        failure = error
      }
    }
    if let failure, !isNoted { throw failure }
    notes?.places.insert(place)
  }

  /// Runs `body` in a savepoint; if it fails, its notes are undone as well.
  private func attempt<T>(_ body: () throws -> T) throws -> T {
    do { return try database.savepoint(body) } catch {
      notes?.places = []
      throw error
    }
  }

  /// Throws an error that no other statement can make up for.
  ///
  /// These are `sealedCondition`, which fails each time, and a missing table, for which the whole call runs again and
  /// makes it.
  private func refuseToExcuse(_ error: any Error) throws {
    if (error as? NacreError)?.code == .sealedCondition { throw error }
    if mayLackTable && setup.compiled.isMissing(error) { throw error }
  }

  /// Keeps the SQL out of errors if values were spliced into it.
  private func withoutValues<T>(_ hasSplices: Bool, _ body: () throws -> T) throws -> T {
    if !hasSplices { return try body() }
    do { return try body() } catch {
      throw (NacreError.wrap(error) as? NacreError)?.withoutStatement ?? error
    }
  }

  // MARK: - Statements

  /// Runs one statement; returns false if there was nothing to run.
  func run(_ statement: CompiledStatement, _ values: CallValues) throws -> Bool {
    try withBound(statement, values, nothing: false) { prepared in
      try counting { try prepared.run() }
      if let notes { notes.wholeRowCount += notes.changedRowCount }
      return true
    }
  }

  /// Notes how many rows a statement changes; if `body` runs it several times, those of the last time.
  func counting(_ body: () throws -> Void) rethrows {
    let before = database.totalChangedRowCount
    notes?.changedRowCount = 0
    try body()
    // A statement that changes no rows itself, such as CREATE, leaves SQLite's number as it was.
    if database.totalChangedRowCount != before {
      notes?.changedRowCount = database.changedRowCount
    }
  }

  /// Runs all statements of a body.
  func run(_ body: CompiledBody, _ values: CallValues) throws -> DAOResult.Flag {
    switch body {
    case .statement(let statement): return try run(statement, values) ? .ran : .void
    case .attempt(let first, let except):
      do {
        return try attempt { try run(first, values) } ? .ran : .void
      } catch {
        try refuseToExcuse(error)
        _ = try run(except, values)
        return .excepted
      }
    case .steps(let steps):
      var flag = DAOResult.Flag.void
      for (statement, isResumable) in steps {
        guard isResumable else {
          if try run(statement, values), flag == .void { flag = .ran }
          continue
        }
        do {
          let hasRun = try attempt { try run(statement, values) }
          if hasRun && flag == .void { flag = .ran }
        } catch {
          try refuseToExcuse(error)
          flag = .failedStep
        }
      }
      return flag
    }
  }

  // MARK: - Selects

  /// The result of a select for one set of values.
  func select(
    _ body: CompiledBody,
    _ values: CallValues,
    _ reader: ResultReader?
  ) throws -> DAOResult {
    switch body {
    case .statement(let statement): return try read(statement, values, reader)
    case .attempt(let first, let except):
      do { return try read(first, values, reader) } catch {
        try refuseToExcuse(error)
        return try read(except, values, reader, flag: .excepted, flagOfNothing: .excepted)
      }
    // The configuration's reader refuses `<step>` in a select.
    case .steps: return DAOResult(value: reader?.empty, flag: .void)
    }
  }

  /// The result of a statement's rows.
  private func read(
    _ statement: CompiledStatement,
    _ values: CallValues,
    _ reader: ResultReader?,
    flag: DAOResult.Flag = .ran,
    flagOfNothing: DAOResult.Flag = .void
  ) throws -> DAOResult {
    try withBound(
      statement,
      values,
      nothing: DAOResult(value: reader?.empty, flag: flagOfNothing)
    ) { prepared in
      guard let reader else {
        try prepared.run()
        return DAOResult(flag: flag)
      }
      return DAOResult(value: try reader.read(prepared, on: database, sealing), flag: flag)
    }
  }
}
