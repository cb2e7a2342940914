public import Foundation

/// A configuration that can't be used: everything that is wrong in it, in the order of its lines.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible,
  LocalizedError
{
  /// What is wrong, at least one thing.
  public let issues: [ConfigurationIssue]

  /// One line for each issue.
  public var description: String {
    (["the configuration can't be used:"] + issues.map(\.description)).joined(separator: "\n")
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
