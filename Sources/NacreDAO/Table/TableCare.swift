import NacreCore

/// Makes a DAO's table and brings it to the configuration's version.
struct TableCare {
  let module: DAOModule
  let run: StatementRun

  private var database: Database { run.database }
  private var compiled: CompiledModule { run.setup.compiled }
  private var table: String { compiled.tableName }

  /// An upgrade that failed, and its error.
  struct UpgradeFailure: Error {
    let error: any Error
  }

  /// The work that a table needs.
  enum Need {
    case nothing
    case creation
    case upgrade(from: DAOVersion?, to: DAOVersion)
  }

  /// Looks at the table without changing anything.
  ///
  /// - Throws: ``NacreError`` with code `newerTable` for a table of a later version.
  func need() throws -> Need {
    guard try isThere() else { return .creation }
    guard let version = module.version else { return .nothing }
    let stored = try storedVersion()
    if stored == version { return .nothing }
    if let stored, stored > version {
      throw NacreError.dao(
        .newerTable,
        "\(table) has version \(stored), and the configuration has version \(version)"
      )
    }
    return .upgrade(from: stored, to: version)
  }

  /// Does what the table needs, within the open transaction.
  ///
  /// - Returns: the events, in order.
  /// - Throws: `UpgradeFailure`; the initializer's errors.
  func prepare() throws -> [DAOEvent] {
    switch try need() {
    case .nothing: return []
    case .creation: return try create()
    case .upgrade(let stored, let version):
      do {
        if isReset(from: stored) { return try reset() }
        try upgrade(from: stored, to: version)
        return []
      } catch {
        let from = stored.map { "\($0)" } ?? "no version"
        let action = "the upgrade of “\(table)” from \(from) to \(version)"
        let error = NacreError.face(error)
        throw UpgradeFailure(error: (error as? NacreError)?.during(action) ?? error)
      }
    }
  }

  private func isReset(from stored: DAOVersion?) -> Bool {
    if module.resetsOnUpgrade { return true }
    guard let minimum = module.upgradeMinimum else { return false }
    return stored.map { $0 < minimum } ?? true
  }

  private func isThere() throws -> Bool {
    if table.isEmpty { return false }
    return try database.hasTable(table)
  }

  private func create() throws -> [DAOEvent] {
    if let initializer = module.initializer,
      let method = compiled.method(initializer, arity: 0)
    {
      do { _ = try run.run(method.body, CallValues(run.setup)) } catch {
        throw method.located(error)
      }
    }
    guard try isThere() else { return [] }
    try recordVersion()
    return [.tableCreated(table: table)]
  }

  private func reset() throws -> [DAOEvent] {
    _ = try database.takeAway(table: table)
    let created = try create()
    try requireTable("making it anew")
    return [.tableDeleted(table: table)] + created
  }

  private func upgrade(from stored: DAOVersion?, to version: DAOVersion) throws {
    let former = try database.shape
    for (next, body) in compiled.upgrades where next <= version {
      if let stored, next <= stored { continue }
      do { _ = try run.run(body, CallValues(run.setup)) } catch {
        let error = NacreError.face(error)
        throw (error as? NacreError)?.during("<upgrade toVersion=\"\(next)\">") ?? error
      }
    }
    try requireTable("the upgrade to \(version)")
    try database.followDAO(table: table, from: former)
    try completeTable()
    try recordVersion()
  }

  /// Throws if a step left no table, because that would be recorded as one of the new version.
  private func requireTable(_ step: String) throws {
    if try isThere() { return }
    throw NacreError.dao(.migrationFailed, "\(step) has left no table “\(table)”")
  }

  // MARK: - Versions

  private func storedVersion() throws -> DAOVersion? {
    guard try database.hasTable(DAOTableSQL.versionsTable),
      case .text(let text) = try database.first(DAOTableSQL.selectVersion, [.text(table)])
    else { return nil }
    if let version = DAOVersion(text) { return version }
    throw NacreError.dao(
      .schemaMismatch,
      "\(DAOTableSQL.versionsTable) holds no version for \(table)"
    )
  }

  private func recordVersion() throws {
    guard let version = module.version else { return }
    try database.run(DAOTableSQL.createVersions)
    try database.run(DAOTableSQL.deleteVersion, [.text(table)])
    try database.run(DAOTableSQL.setVersion, [.text(table), .text(version.description)])
  }
}
