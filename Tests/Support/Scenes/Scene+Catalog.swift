import NacreCore
import NacreSQLite
import Testing

extension Scene {
  /// Changes the catalog behind the store's back, and accepts the change as the store's owner.
  func editCatalog(_ sql: String) throws {
    try edit(sql)
    let store = try open()
    defer { try? store.close() }
    try store.acceptCatalog(store.reviewCatalog())
  }

  /// Returns the value of a row of `nacre_store`; nil if there is none.
  func storeValue(_ name: String) throws -> Value? {
    try edit("SELECT value FROM nacre_store WHERE name = ?1", .text(name)).first?.first
  }
}
