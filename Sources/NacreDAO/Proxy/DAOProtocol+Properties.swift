public import NacreCore

// What users of a protocol find on its DAO, too.

extension DAOProtocol {
  /// The name of the configuration's module.
  public var name: String { dao.name }

  /// The name of the table on which the DAO works: that of the configuration, until another is set.
  public var tableName: String {
    get { dao.tableName }
    nonmutating set { dao.tableName = newValue }
  }

  /// The store on which the DAO works now; raw SQL and connections are had of it.
  ///
  /// - Throws: ``NacreError`` with code `noUser` where it depends on a user and there is none.
  public var store: Store { get throws { try dao.store } }

  /// The path of the file on which the DAO works now.
  ///
  /// - Throws: ``NacreError`` with code `noUser` where it depends on a user and there is none.
  public var databasePath: String { get throws { try dao.databasePath } }

  /// Values that every method can use by their names, where it has no argument of that name.
  public var globalArguments: [String: any Sendable] {
    get { dao.globalArguments }
    nonmutating set { dao.globalArguments = newValue }
  }

  /// What is told of what happens to tables, on the thread of the call that makes it happen.
  public var eventHandler: (@Sendable (DAO, DAOEvent) -> Void)? {
    get { dao.eventHandler }
    nonmutating set { dao.eventHandler = newValue }
  }

  /// Seals what `<crypt>` names; nil leaves it to the store.
  public var encryptMethod: CryptMethod? {
    get { dao.encryptMethod }
    nonmutating set { dao.encryptMethod = newValue }
  }

  /// Opens what `<crypt>` names; nil leaves it to the store.
  public var decryptMethod: CryptMethod? {
    get { dao.decryptMethod }
    nonmutating set { dao.decryptMethod = newValue }
  }

  /// The rowid of the row that a call of this DAO inserted last; 0 before the first.
  public var lastInsertRowID: Int64 { dao.lastInsertRowID }

  /// The ids of all methods of the configuration, in alphabetical order; of methods that share one it is there once.
  public var allMethodsList: [String] { dao.allMethodsList }
}
