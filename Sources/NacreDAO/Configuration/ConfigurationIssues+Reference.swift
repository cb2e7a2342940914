extension ConfigurationIssues {
  /// Notes a mistake at a reference's place.
  func note(_ message: String, at reference: TemplateReference) {
    note(message, atReference: reference.number)
  }
}
