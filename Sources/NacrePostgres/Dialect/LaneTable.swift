#if PostgreSQL
/// The table whose one row every writer changes first, on a server that can lock no table.
///
/// A writer that waits for the row while another one commits its change gets a conflict, because its own state is older; so it
/// begins once more, and sees what the other one has committed.
enum LaneTable {
  static let name = "nacre_lane"

  /// The statements that make the table; many may do so at once.
  static let create = [
    """
    CREATE TABLE IF NOT EXISTS "\(name)" ("one" bigint PRIMARY KEY, "number" bigint NOT NULL) \
    WITH (fillfactor = 50)
    """,
    "INSERT INTO \"\(name)\" VALUES (1, 0) ON CONFLICT DO NOTHING",
  ]
  static let take = "UPDATE \"\(name)\" SET \"number\" = \"number\" + 1"
}
#endif
