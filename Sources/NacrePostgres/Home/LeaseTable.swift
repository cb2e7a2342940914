#if PostgreSQL
package import NacreEngine

/// The table of the leases: a row for each, whose number grows with every holder.
///
/// The table is made when a lease is taken for the first time.
package final class LeaseTable: LeaseKeeping {
  private static let name = "nacre_lease"
  private static let create = """
    CREATE TABLE "\(name)" ("name" text COLLATE "C" NOT NULL PRIMARY KEY, "holder" text NOT NULL, \
    "number" bigint NOT NULL, "expires" timestamp with time zone NOT NULL)
    """
  /// The end of a lease that lasts for the milliseconds in a parameter from now on.
  private static func end(_ parameter: Int) -> String {
    "clock_timestamp() + ?\(parameter)::bigint * interval '1 millisecond'"
  }
  private static let take = """
    INSERT INTO "\(name)" AS l ("name", "holder", "number", "expires") VALUES (?1, ?2, 1, \(end(3))) \
    ON CONFLICT ("name") DO UPDATE SET "holder" = excluded."holder", "number" = l."number" + 1, \
    "expires" = excluded."expires" WHERE l."expires" <= clock_timestamp() RETURNING "number"
    """
  private static let renew = """
    UPDATE "\(name)" SET "expires" = \(end(3)) WHERE "name" = ?1 AND "number" = ?2
    """
  private static let release = """
    UPDATE "\(name)" SET "expires" = '-infinity' WHERE "name" = ?1 AND "number" = ?2
    """
  private static let selectHolder = """
    SELECT "holder" FROM "\(name)" WHERE "name" = ?1 AND "expires" > clock_timestamp()
    """

  package func take(
    _ name: String,
    by holder: String,
    for duration: Duration,
    on connection: any EngineConnection
  ) throws -> Int64? {
    if try !connection.schema.hasTable(Self.name) { try connection.execute(Self.create) }
    let statement = try bound(Self.take, name, on: connection)
    defer { statement.reset() }
    try statement.bind(text: holder, at: 2)
    try statement.bind(duration.milliseconds, at: 3)
    return try statement.step() ? statement.int64(at: 0) : nil
  }

  package func renew(
    _ name: String,
    _ number: Int64,
    for duration: Duration,
    on connection: any EngineConnection
  ) throws -> Bool {
    let statement = try bound(Self.renew, name, on: connection)
    try statement.bind(number, at: 2)
    try statement.bind(duration.milliseconds, at: 3)
    try statement.run()
    return connection.changes == 1
  }

  package func release(
    _ name: String,
    _ number: Int64,
    on connection: any EngineConnection
  ) throws {
    let statement = try bound(Self.release, name, on: connection)
    try statement.bind(number, at: 2)
    try statement.run()
  }

  package func holder(of name: String, on connection: any EngineConnection) throws -> String? {
    guard try connection.schema.hasTable(Self.name) else { return nil }
    let statement = try bound(Self.selectHolder, name, on: connection)
    defer { statement.reset() }
    return try statement.step() ? statement.text(at: 0) : nil
  }

  private func bound(
    _ sql: String,
    _ name: String,
    on connection: any EngineConnection
  ) throws -> any PreparedStatement {
    let statement: any PreparedStatement = try connection.cached(sql)
    try statement.bind(text: name, at: 1)
    return statement
  }
}
#endif
