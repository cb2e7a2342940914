public import NacreCore
import Synchronization

/// Methods on a table, which an XML configuration describes and which are called by their names.
///
/// ```swift
/// let dao = try DAO(configuration: data, store: store, models: [Message.self])
/// let messages: [Message] = try dao.call("find", [1234, 2014]).get()
/// ```
/// You can use it from any number of tasks and threads at once. A call that fails returns a failed result and never
/// throws.
public final class DAO: DAOBacked {
  let module: DAOModule
  let crypts: CryptRules
  fileprivate let readers: [DAOModule.MethodKey: ResultReader]
  let source: StoreSource
  let state: Mutex<DAOState>

  /// Makes a DAO that works on one store.
  ///
  /// - Parameters:
  ///   - configuration: the XML, or the URL of its file.
  ///   - store: the store in whose file the tables are.
  ///   - models: the classes and structs that the configuration names: entities, and Codable types.
  /// - Throws: ``ConfigurationError`` with everything that is wrong in the configuration; ``NacreError`` if it can't be
  ///   read, and with code `serverCannot` for a store on a server.
  public convenience init(
    configuration: some ConfigurationSource,
    store: Store,
    models: [any Any.Type] = []
  ) throws {
    try self.init(configuration: configuration, models: models, source: .fixed(store))
  }

  /// Makes a DAO that asks for its store at every call, and compares its configuration with the methods of a protocol.
  init(
    configuration: some ConfigurationSource,
    models: [any Any.Type],
    methods: [DAOSignature] = [],
    sealing: DAOSealing = DAOSealing(),
    source: StoreSource
  ) throws {
    if case .fixed(let store) = source {
      try store.refuseOnServer(
        "a DAO's statements are SQLite's",
        advice: "Use entities, records or your own SQL, or give the DAO a store in a file."
      )
    }
    let models = ModelTable(models + methods.flatMap(\.models))
    let crypts: CryptRules
    (module, crypts) = try DAOModule.checked(configuration, models, methods)
    readers = module.methods.compactMapValues { [maps = module.maps] method in
      method.result.map { ResultReader($0, maps, models, crypts) }
    }
    self.crypts = crypts
    self.source = source
    let compiled = CompiledModule(module, readers, tableName: module.tableName ?? "")
    var state = DAOState(compiled: compiled)
    state.sealing = sealing
    self.state = Mutex(state)
  }

  /// Makes a DAO from another one's configuration.
  init(_ other: DAO, tableName: String) {
    (module, crypts, readers, source) = (other.module, other.crypts, other.readers, other.source)
    let compiled = CompiledModule(other.module, other.readers, tableName: tableName)
    var copy = DAOState(compiled: compiled)
    other.state.withLock { state in
      copy.globals = state.globals
      copy.sealing = state.sealing
      copy.eventHandler = state.eventHandler
    }
    state = Mutex(copy)
  }

  /// The DAO itself.
  public var dao: DAO { self }

  /// Sets a value that belongs to the application; the former value is released when no lock is held.
  fileprivate func set<V: Sendable>(_ property: WritableKeyPath<DAOState, V>, _ value: V) {
    _ = state.withLock { $0.exchange(property, value) }
  }
}

extension DAOBacked {
  /// The name of the table on which the DAO works: the configuration's, until you set another.
  ///
  /// One configuration serves any number of tables of the same shape. A name consists of letters, digits and
  /// underscores. If it is a word of SQL, such as `order`, the DAO puts it in quotes where the name stands alone. Names
  /// that begin with `nacre_` or `sqlite_` belong to the store and to SQLite: calls on them fail with `noTableName`.
  public var tableName: String {
    get { dao.state.withLock { $0.compiled.tableName } }
    nonmutating set {
      let name = newValue.trimmed
      if name == tableName { return }
      let compiled = CompiledModule(dao.module, dao.readers, tableName: name)
      dao.state.withLock { $0.compiled = compiled }
    }
  }

  /// The store on which the DAO works now; use it for raw SQL and connections.
  ///
  /// - Throws: ``NacreError`` with code `noUser` if it depends on a user and nobody is signed in, and
  ///   `transactionState` if the user was switched inside of a transaction.
  public var store: Store { get throws { try dao.source.store } }

  /// The path of the file on which the DAO works now.
  ///
  /// - Throws: ``NacreError`` with code `noUser` if it depends on a user and nobody is signed in.
  public var databasePath: String { get throws { try dao.source.store.path } }

  /// Values that every method can use by their names, unless it has an argument with that name.
  public var globalArguments: [String: any Sendable] {
    get { dao.state.withLock { $0.globals } }
    nonmutating set { dao.set(\.globals, newValue) }
  }

  /// The handler that is told what happens to tables, on the thread of the call that makes it happen.
  ///
  /// The DAO keeps the handler. The handler gets the DAO as its argument; if it captured the DAO instead, neither would
  /// ever be released.
  public var eventHandler: (@Sendable (DAO, DAOEvent) -> Void)? {
    get { dao.state.withLock { $0.eventHandler } }
    nonmutating set { dao.set(\.eventHandler, newValue) }
  }

  /// Seals the properties that `<crypt>` names; nil leaves it to the store.
  public var encryptMethod: CryptMethod? {
    get { dao.state.withLock { $0.sealing.encrypt } }
    nonmutating set { dao.set(\.sealing.encrypt, newValue) }
  }

  /// Opens the properties that `<crypt>` names; nil leaves it to the store.
  public var decryptMethod: CryptMethod? {
    get { dao.state.withLock { $0.sealing.decrypt } }
    nonmutating set { dao.set(\.sealing.decrypt, newValue) }
  }

  /// The rowid of the row that this DAO inserted last; 0 before the first.
  public var lastInsertRowID: Int64 { dao.state.withLock { $0.lastInsertRowID } }

  /// How many rows the last statement of the last writing call changed, without the changes of triggers.
  ///
  /// For a `foreach`, only the last element counts. It is 0 before the first call, and if there was nothing to run.
  public var lastChangedRowCount: Int { dao.state.withLock { $0.lastChangedRowCount } }

  /// The ids of all methods of the configuration, in alphabetical order; an id that several methods share is listed
  /// once.
  public var allMethodsList: [String] { Set(dao.module.methods.keys.map(\.id)).sorted() }

  /// The name of the configuration's module.
  public var name: String { dao.module.name }
}
