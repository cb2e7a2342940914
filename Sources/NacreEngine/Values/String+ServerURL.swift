extension String {
  /// Whether a path is the URL of a PostgreSQL server (PostgreSQL's documentation, section 34.1.1.2).
  package var isServerURL: Bool {
    let start = utf8.prefix(13).map { $0 | 0x20 }
    return ["postgresql://", "postgres://"].contains { start.starts(with: $0.utf8) }
  }
}
