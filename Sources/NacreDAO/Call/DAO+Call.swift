import NacreCore
import Synchronization

extension DAO {
  /// Calls the method with that id and number of arguments, in one transaction.
  ///
  /// - Parameters:
  ///   - id: the method's id in the configuration.
  ///   - arguments: its arguments in order; nil is NULL.
  /// - Returns: the select's value, or how the call ended. A call that failed has changed no row; a table that it had
  ///   to make or upgrade first stays.
  @discardableResult
  public func call(_ id: String, _ arguments: [Any?] = []) -> DAOResult {
    do {
      let call = DAOCall(self, on: try source.store)
      do { return try perform(id, arguments, call) } catch {
        return try perform(id, arguments, call, after: error)
      }
    } catch {
      return DAOResult(error: face(error, id))
    }
  }
}

extension DAOBacked {
  /// Calls the method with that id and number of arguments, in one transaction.
  ///
  /// - Parameters:
  ///   - id: the method's id in the configuration.
  ///   - arguments: its arguments in order; nil is NULL.
  /// - Returns: the select's value, or how the call ended. A call that failed has changed no row; a table that it had
  ///   to make or upgrade first stays.
  @discardableResult
  public func call(_ id: String, _ arguments: sending [Any?] = []) async -> sending DAOResult {
    nonisolated(unsafe) let given = arguments
    return await dao.offTask { $0.call(id, given) }
  }
}

extension DAO {
  /// Runs `body` on a thread that no task is waiting for.
  func offTask(
    _ body: @escaping @Sendable (DAO) -> DAOResult
  ) async -> sending DAOResult {
    do {
      return try await Store.onThread {
        // Made on that thread, and handed over.
        nonisolated(unsafe) let result = body(self)
        return result
      }
    } catch {
      return DAOResult(error: error)
    }
  }

  /// Maps a lower module's error to `NacreError`, and names the module and the method in it.
  func face(_ error: any Error, _ id: String) -> any Error {
    let error = NacreError.face(error)
    return (error as? NacreError)?.at(module: module.name, method: id) ?? error
  }

  func perform(_ id: String, _ arguments: [Any?], _ call: DAOCall) throws -> DAOResult {
    guard let method = call.setup.compiled.method(id, arity: arguments.count) else {
      throw NacreError.dao(.noSuchMethod, "“\(id)” with \(arguments.count.counted("argument"))")
    }
    for index in method.needed where DAOValue.isNil(arguments[index]) {
      let name = method.method.arguments[index].name
      throw DAOValue.Failure(
        message: "“\(name)” is nil, and the configuration's $\(name) does not allow nil"
      )
    }
    try call.prepareTable()
    let values = CallValues(method, arguments, call.setup)
    var result: DAOResult
    do {
      result = try method.isSelect ? call.select(method, values) : call.write(method, values)
    } catch {
      throw method.located(error)
    }
    result.method = method.name
    return result
  }
}

/// One call of a DAO's method, with the DAO's state as it was when the call began.
struct DAOCall {
  let dao: DAO
  let store: Store
  let setup: DAOSetup
  /// The store's table generation (it counts deleted tables) before this call looked at its own table.
  private let generation: UInt64
  private let isReady: Bool
  /// Whether nobody can delete the table between the call's look at it and the call's end, because the call is inside
  /// of a transaction that writes.
  let isSure: Bool

  init(_ dao: DAO, on store: Store) {
    let (number, generation) = (store.number, store.tableGeneration)
    (setup, isReady) = dao.state.withLock { state in
      (state.current(of: dao), state.isReady(in: number, generation))
    }
    self.generation = generation
    self.store = store
    self.dao = dao
    isSure = false
  }

  /// Makes the same call again, on a store where the call knows nothing of its table.
  init(_ call: DAOCall, on store: Store, isSure: Bool) {
    (dao, setup, isReady) = (call.dao, call.setup, false)
    generation = store.tableGeneration
    self.store = store
    self.isSure = isSure
  }

  private var key: DAOState.TableKey { .init(store: store.number, table: tableName) }
  var tableName: String { setup.compiled.tableName }

  private func run(on database: Database, _ notes: RunNotes? = nil) -> StatementRun {
    let mayLackTable = !isSure && dao.module.makesTable
    return StatementRun(database: database, setup: setup, notes: notes, mayLackTable: mayLackTable)
  }

  // MARK: - Table

  /// Makes sure that the table exists and has the configuration's version.
  func prepareTable() throws {
    if isReady || !dao.module.makesTable { return }
    switch try store.withReader({ try care(on: $0).need() }) {
    case .nothing: return noteReady()
    case .creation: break
    case .upgrade(let stored, let version): announceUpgrade(from: stored, to: version)
    }
    do {
      try store.writeApart { database in
        let events = try care(on: database).prepare()
        database.afterCommit { for event in events { tell(event) } }
      }
      noteReady()
    } catch let failure as TableCare.UpgradeFailure {
      dao.state.withLock { _ = $0.announced.remove(key) }
      tell(.upgradeFailed(table: tableName, error: NacreError.wrap(failure.error)))
      throw failure.error
    }
  }

  /// Whether the table exists with the right version, as a connection outside of the thread's transaction sees it.
  private func isStored(on database: Database) throws -> Bool {
    if !dao.module.makesTable { return true }
    if case .nothing = try care(on: database).need() { return true }
    return false
  }

  private func care(on database: Database) -> TableCare {
    let run = StatementRun(
      database: database,
      setup: setup,
      notes: RunNotes(),
      mayLackTable: false
    )
    return TableCare(module: dao.module, run: run)
  }

  private func noteReady() {
    // A table that this thread's open transaction has made may still be rolled back.
    let mayGo = store.isWritingOnThisThread
    dao.state.withLock { state in
      if !mayGo { state.ready[key] = generation }
      state.announced.remove(key)
    }
  }

  /// Tells the event handler once that an upgrade is due.
  ///
  /// Once, because the handler may call the DAO, which then upgrades the table.
  private func announceUpgrade(from stored: DAOVersion?, to version: DAOVersion) {
    guard dao.state.withLock({ $0.announced.insert(key).inserted }) else { return }
    tell(.shouldUpgrade(table: tableName, from: stored, to: version))
  }

  private func tell(_ event: DAOEvent) { dao.eventHandler?(dao, event) }

  // MARK: - Writing

  func write(_ method: CompiledMethod, _ values: CallValues) throws -> DAOResult {
    // A variable, because an unspecialised generic return across modules is slow.
    var result = DAOResult()
    var inserted: Int64?
    var changed = 0
    try store.write { database in
      let before = (rowID: database.lastInsertedRowID, count: database.totalChangedRowCount)
      let notes = RunNotes()
      result = try write(method, values, run(on: database, notes))
      let after = database.lastInsertedRowID
      // An insert may store nothing, and an insert into another table may give the same rowid as the insert before it.
      let isInsert = method.method.kind == .insert && database.totalChangedRowCount != before.count
      if isInsert || after != before.rowID { inserted = after }
      changed = notes.changedRowCount
      result.changedRowCount = notes.wholeRowCount
    }
    result.insertedRowID = inserted
    dao.state.withLock { state in
      if let inserted { state.lastInsertRowID = inserted }
      state.lastChangedRowCount = changed
    }
    return result
  }

  private func write(
    _ method: CompiledMethod,
    _ values: CallValues,
    _ run: StatementRun
  ) throws -> DAOResult {
    guard let loop = method.method.loop else {
      return DAOResult(flag: try run.run(method.body, values))
    }
    let elements = try collection(loop, values)
    var flags: [DAOResult.Flag] = []
    do {
      return try write(method, elements, loop, values, run, &flags)
    } catch {
      throw NacreError.located(error, atElement: flags.count)
    }
  }

  private func write(
    _ method: CompiledMethod,
    _ elements: any LoopCollection,
    _ loop: DAOMethod.Loop,
    _ values: CallValues,
    _ run: StatementRun,
    _ flags: inout [DAOResult.Flag]
  ) throws -> DAOResult {
    if case .statement(.fixed(let fixed)) = method.body, !fixed.sql.isEmpty {
      try run.counting {
        var each: LoopRun?
        try elements.forEachElement { element in
          if each == nil { each = try LoopRun(run, fixed, item: loop.item, values) }
          try each?.run(element)
          flags.append(.ran)
        }
        run.notes?.wholeRowCount += each?.changedRowCount ?? 0
      }
      return DAOResult(flags: flags)
    }
    var failed: [Any] = []
    try elements.forEachElement { element in
      let flag = try run.run(method.body, values.adding(loop.item, DAOValue.unwrapped(element)))
      flags.append(flag)
      if flag == .failedStep { failed.append(element) }
    }
    return DAOResult(flags: flags, failedObjects: failed)
  }

  private func collection(_ loop: DAOMethod.Loop, _ values: CallValues) throws -> any LoopCollection
  {
    try DAOValue.collection(values.value(named: loop.collection), named: loop.collection)
  }

  // MARK: - Selecting

  func select(_ method: CompiledMethod, _ values: CallValues) throws -> DAOResult {
    var result = DAOResult()
    if method.method.isParallel {
      var isThere = true
      try store.readApart { database in
        isThere = try isReady || isStored(on: database)
        if isThere { result = try select(method, values, run(on: database)) }
      }
      // Only this thread sees a table that its open transaction has made.
      if !isThere { try store.read { result = try select(method, values, run(on: $0)) } }
    } else if method.isSingle {
      try store.withReader { result = try select(method, values, run(on: $0)) }
    } else {
      try store.read { result = try select(method, values, run(on: $0)) }
    }
    return result
  }

  private func select(
    _ method: CompiledMethod,
    _ values: CallValues,
    _ run: StatementRun
  ) throws -> DAOResult {
    guard let loop = method.method.loop else {
      return try run.select(method.body, values, method.reader)
    }
    var results: [Any?] = []
    var flags: [DAOResult.Flag] = []
    let elements = try collection(loop, values)
    do {
      try elements.forEachElement { element in
        let values = values.adding(loop.item, DAOValue.unwrapped(element))
        let result = try run.select(method.body, values, method.reader)
        results.append(result.value)
        flags += result.flags
      }
    } catch {
      throw NacreError.located(error, atElement: results.count)
    }
    return DAOResult(value: results, flags: flags)
  }
}
