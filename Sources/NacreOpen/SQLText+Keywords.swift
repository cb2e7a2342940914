import NacreSQLite
package import NacreStore

extension SQLText {
  /// Returns whether a name is an SQL keyword, in any case, so that it needs quotes.
  package static func isKeyword(_ name: String) -> Bool { Connection.isKeyword(name) }
}
