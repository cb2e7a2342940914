import NacreStore

/// The steps that take a store from one version to the next, in order.
///
/// A store's version is the name of the last step that was done. A new store runs no steps: the
/// current classes make its tables, and it has the newest version.
/// ```swift
/// options.migrator = Migrator(
///   .init("1.0"),
///   .init("1.1") { try $0.execute("UPDATE Car SET color = lower(color)") },
///   .init("2.0") { try $0.dropProperty("doors", of: "Car") }
/// )
/// ```
public struct Migrator: Sendable {
  /// One step.
  public struct Step: Sendable {
    /// The change that a step makes to the store, in SQL; it can't use entities.
    public typealias Change = @Sendable (Database) throws -> Void

    /// The step's name, which is the store's version when it is done.
    public let name: String
    /// Takes the store from the previous version to this one.
    public let up: Change
    /// Takes the store back to the previous version; nil if that is not possible.
    public let down: Change?

    /// Makes a step.
    ///
    /// - Parameters:
    ///   - name: The version that the step leads to.
    ///   - up: Takes the store to that version; the first step of all has nothing to do.
    ///   - down: Takes the store back.
    public init(_ name: String, up: @escaping Change = { _ in }, down: Change? = nil) {
      self.name = name
      self.up = up
      self.down = down
    }
  }

  /// The steps, the oldest first.
  public let steps: [Step]

  /// Makes a migrator of these steps, the oldest first.
  public init(_ steps: Step...) { self.steps = steps }

  /// Makes a migrator of these steps, the oldest first.
  public init(_ steps: [Step]) { self.steps = steps }

  /// Returns the number of steps that are done at a version; 0 for nil.
  ///
  /// - Throws: `newerSchema` for a version that no step leads to.
  func count(at version: String?) throws -> Int {
    guard let version else { return 0 }
    guard let index = steps.firstIndex(where: { $0.name == version }) else {
      throw NacreError(.newerSchema, detail: "no step is called \(version)")
    }
    return index + 1
  }
}
