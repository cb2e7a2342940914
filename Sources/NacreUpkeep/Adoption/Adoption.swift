import NacreEngine
import NacreStore

/// Stores the rows of a foreign file by a mapping, inside one transaction of the store.
final class Adoption {
  /// After how many rows the caller hears of the progress.
  private static let step = 1000

  private let database: Database
  private let file: ForeignFile
  private let mapping: AdoptionMapping
  private let misfits: MisfitTreatment
  private let defersIndexes: Bool
  private let progress: (AdoptionProgress) throws -> Void
  private var report = AdoptionReport()
  private var connection: any EngineConnection { database.connection }

  init(
    _ database: Database,
    _ file: ForeignFile,
    _ mapping: AdoptionMapping,
    _ misfits: MisfitTreatment,
    _ defersIndexes: Bool,
    _ progress: @escaping (AdoptionProgress) throws -> Void
  ) {
    self.database = database
    self.file = file
    self.mapping = mapping
    self.misfits = misfits
    self.defersIndexes = defersIndexes
    self.progress = progress
  }

  /// Stores the rows, and returns the report.
  ///
  /// - Throws: ``DeferredIndexes/EqualValues`` if it defers indexes; ``NacreError``; what the progress throws.
  func run() throws -> AdoptionReport {
    try RotationJournal.refuseConversions(on: connection)
    try database.refuseForeignCatalog()
    // A reference may come before its target.
    try connection.execute(connection.dialect.deferForeignKeys)
    try file.snapshot {
      let resolver = AdoptionResolver(mapping: mapping, file: file, database: database)
      let plans = try mapping.tables.map { try AdoptionPlan($0, resolver) }
      let lists = try mapping.lists.map { try AdoptionList($0, resolver) }
      let indexes = DeferredIndexes(on: connection)
      if defersIndexes { try indexes.drop(for: plans, file) }
      for plan in plans { try store(plan) }
      try indexes.make()
      for plan in plans { try settleReferences(of: plan) }
      for list in lists { try store(list) }
    }
    report.isDryRun = misfits == .list
    return report
  }

  // MARK: Rows

  private func store(_ plan: AdoptionPlan) throws {
    var count = 0
    try eachRow(of: plan.source, plan.columns) { row in
      guard try plan.takes(row) else { return }
      try plan.store(row)
      count += 1
    }
    report.objects[plan.target.name, default: 0] += count
  }

  private func store(_ list: AdoptionList) throws {
    try eachRow(of: list.source, list.columns) { row in
      if try list.store(row) { report.joinCount += 1 }
    }
  }

  /// Passes each row to the body, and notes those that do not fit.
  private func eachRow(
    of table: ForeignTable,
    _ columns: [String],
    _ body: (ForeignRow) throws -> Void
  ) throws {
    let total = try file.rowCount(of: table)
    var done = 0
    try show(table, done, total)
    try file.rows(of: table, columns) { row in
      do {
        try body(row)
      } catch let fault as AdoptionFault {
        try note(fault, table, row)
      }
      done += 1
      if done.isMultiple(of: Adoption.step) { try show(table, done, total) }
    }
    try show(table, done, total)
  }

  private func show(_ table: ForeignTable, _ done: Int, _ total: Int) throws {
    try progress(
      AdoptionProgress(
        table: table.name,
        done: done,
        total: total,
        misfitCount: report.misfitCount
      )
    )
  }

  /// Notes a row that does not fit.
  ///
  /// - Throws: ``NacreError`` with code `notAdopted` if such rows are refused.
  private func note(_ fault: AdoptionFault, _ table: ForeignTable, _ row: ForeignRow) throws {
    report.note(fault, table: table.name, row: row.number)
    if misfits == .refuse { throw Adoption.refusal(fault, table, row) }
  }

  private static func refusal(
    _ fault: AdoptionFault,
    _ table: ForeignTable,
    _ row: ForeignRow
  ) -> NacreError {
    let column = fault.column.map { ", column \($0)" } ?? ""
    return NacreError(
      .notAdopted,
      detail: "table \(table.name)\(column), row \(row.number): \(fault.reason.words)"
    )
  }

  // MARK: References

  /// Finds the rows whose references lead nowhere now that all objects are stored, and clears the references.
  private func settleReferences(of plan: AdoptionPlan) throws {
    for cell in plan.cells {
      guard case .reference(let reference) = cell.source, let target = reference.table else {
        continue
      }
      let search = TransferSQL.firstDangling(
        table: plan.target.table,
        column: cell.column,
        target: target
      )
      if try connection.scalar(search) == nil { continue }
      try settle(cell, reference, target, plan)
    }
  }

  /// Goes through the foreign rows again, because only they can say which of them refers to what is missing.
  private func settle(
    _ cell: AdoptionCell,
    _ reference: AdoptionReference,
    _ target: String,
    _ plan: AdoptionPlan
  ) throws {
    let refers = AdoptionSQL.refers(table: plan.target.table, column: cell.column)
    let exists = TransferSQL.exists(table: target)
    let places = plan.cells.filter { other in
      guard case .position = other.source else { return false }
      return other.property == cell.property
    }
    let clear = AdoptionSQL.clear(
      table: plan.target.table,
      columns: ([cell] + places).map(\.column)
    )
    try eachRow(of: plan.source, plan.columns) { row in
      // A row that was left out before is not noted again.
      guard let (object, other) = try? Adoption.ends(of: row, reference, plan),
        try connection.scalar(refers, [object, other]) != nil,
        try connection.scalar(exists, [other]) == nil
      else { return }
      if cell.refusesNull {
        let fault = AdoptionFault(.danglingReference, column: cell.sourceColumn)
        if misfits != .list { throw Adoption.refusal(fault, plan.source, row) }
      } else {
        try connection.run(clear, [object])
      }
      throw AdoptionFault(.danglingReference, column: cell.sourceColumn)
    }
  }

  /// Returns the objectIDs of a row and of the row to which it refers.
  ///
  /// - Throws: ``AdoptionFault`` if one of them is missing.
  private static func ends(
    of row: ForeignRow,
    _ reference: AdoptionReference,
    _ plan: AdoptionPlan
  ) throws -> (object: Value, other: Value) {
    guard try plan.takes(row), let object = try plan.objectID(row),
      let other = try reference.objectID(row)
    else { throw AdoptionFault(.badKey) }
    return (.blob(object.data), .blob(other.data))
  }
}
