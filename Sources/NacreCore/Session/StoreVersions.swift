import Foundation
import NacreStore
import Synchronization

/// The migration steps of a store, and whether they wait to be run.
final class StoreVersions: Sendable {
  let migrator: Migrator?
  private let waits = Atomic<Bool>(false)
  private let hasCopy = Atomic<Bool>(false)

  /// Chooses the migrator whose pattern fits the store's name.
  ///
  /// - Throws: `badDeclaration` if a pattern is no regular expression or two steps have the same
  ///   name.
  init(_ options: StoreOptions, _ entities: EntityOptions, path: String) throws {
    let name = options.name ?? URL(fileURLWithPath: path).lastPathComponent
    migrator =
      try entities.migrators.first { try StoreVersions.fits($0.pattern, name) }?.migrator
      ?? entities.migrator
    let names = migrator?.steps.map(\.name) ?? []
    guard Set(names).count == names.count else {
      throw NacreError(.badDeclaration, detail: "two steps of the migrator have the same name")
    }
  }

  /// Makes the versions of a store without steps.
  init() { migrator = nil }

  private static func fits(_ pattern: String, _ name: String) throws -> Bool {
    if pattern.lowercased() == name.lowercased() { return true }
    do {
      return try Regex(pattern).ignoresCase().wholeMatch(in: name) != nil
    } catch {
      throw NacreError(
        .badDeclaration,
        detail: "the migrator's pattern \(pattern) is not a regular expression"
      )
    }
  }

  /// Whether the store was copied, before it was migrated, since it was opened.
  var isBackedUp: Bool {
    get { hasCopy.load(ordering: .acquiring) }
    set { hasCopy.store(newValue, ordering: .releasing) }
  }

  /// Whether entities can't be used before `migrate()`.
  var arePending: Bool {
    get { waits.load(ordering: .acquiring) }
    set { waits.store(newValue, ordering: .releasing) }
  }
}
