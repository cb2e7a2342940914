public import Foundation

/// A configuration that can't be used, with all its mistakes in the order of its lines.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible,
  LocalizedError
{
  /// The mistakes; at least one.
  public let issues: [ConfigurationIssue]
  /// The name of the configuration's file; nil if it came from memory.
  public internal(set) var file: String?

  /// One line for each issue; it begins with the file's name if there is one.
  public var description: String {
    guard let file else {
      return (["the configuration can't be used:"] + issues.map(\.description))
        .joined(separator: "\n")
    }
    return issues.map { "\(file):\($0.line == 0 ? " " : "")\($0)" }.joined(separator: "\n")
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
