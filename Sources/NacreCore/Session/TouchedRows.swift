import Foundation
import NacreEngine
import NacreStore

/// The rows that the writer's open transaction has inserted, updated or deleted, as SQLite reports
/// them.
///
/// These may be more than the transaction commits, because savepoints and failed statements take
/// some back.
final class TouchedRows {
  /// The tables whose objects are observed, each with the entity's own table.
  private var watched: [SQLName: String] = [:]
  /// The version of the set of observers that `watched` was made for.
  private(set) var version: UInt64 = 0
  private(set) var tables: Set<String> = []
  /// The touched objects, by the entity's own table.
  private(set) var objects: [String: Set<ObjectID>] = [:]
  /// The layout number when the transaction began.
  var layout: Int64?
  /// The changes seen right before the commit.
  var commit: ObservedCommit?

  /// The table of the last row, cached because rows of one table usually come one after another.
  private var lastTable: ContiguousArray<CChar> = []
  private var lastEntity: String?

  /// Switches to another set of observers.
  func watch(_ watched: [SQLName: String], version: UInt64) {
    self.watched = watched
    self.version = version
  }

  /// Forgets the last transaction.
  func begin() {
    tables.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
    lastTable = []
    lastEntity = nil
    commit = nil
  }

  func note(_ table: UnsafePointer<CChar>, _ key: UnsafeRawBufferPointer) {
    let isSame = lastTable.withUnsafeBufferPointer { last in
      last.baseAddress.map { strcmp($0, table) == 0 } ?? false
    }
    if !isSame {
      let name = String(cString: table)
      lastTable = name.utf8CString
      lastEntity = watched[SQLName(name)]
      tables.insert(name)
    }
    guard let lastEntity, key.count == 16 else { return }
    objects[lastEntity, default: []].insert(ObjectID(bytes: key))
  }
}
