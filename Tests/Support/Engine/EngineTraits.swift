import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves a test or a suite out if the tests' stores are on a server, because it is about SQLite alone; the reason says
  /// what the server does not have, or what the test does that only SQLite allows.
  static func sqliteOnly(
    _ reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    .disabled(if: TestPlace.isOnServer, Comment(rawValue: reason), sourceLocation: sourceLocation)
  }

  /// Leaves a test out if NACRE_TEST_LACKING takes the foreign keys from the server that are checked at the commit.
  static func checksReferencesLate(sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    .disabled(
      if: TestPlace.isOnServer && TestPlace.isLacking("references"),
      "its objects refer to objects that are stored later, or nowhere",
      sourceLocation: sourceLocation
    )
  }
}
