import Foundation

/// The name of a type, such as `Garage.Car`, stored as TEXT.
/// ```swift
/// job.handler = TypeName(MailJob.self)
/// if let type = job.handler.type as? any Job.Type { … }
/// ```
public struct TypeName: StorableValue, Hashable, Sendable {
  /// The name qualified with its module, as Swift prints it.
  public let name: String

  /// The name of a type.
  public init(_ type: Any.Type) {
    let full = String(reflecting: type)
    // On Linux some of Foundation's types are in FoundationEssentials; the stored name must be the same everywhere.
    let isEssential = full.hasPrefix("FoundationEssentials.")
    name = isEssential ? full.replacing("FoundationEssentials.", with: "Foundation.") : full
  }

  /// The class, struct or enum of that name, or nil if this program has none.
  ///
  /// Generic types, private types and types inside a function can't be found by name.
  public var type: Any.Type? {
    #if canImport(ObjectiveC)
    if let found = NSClassFromString(name) { return found }
    #endif
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let module = parts.first, (2...Self.partLimit).contains(parts.count),
      parts.allSatisfy(Self.isIdentifier)
    else { return nil }
    let modules =
      switch module {
      // The runtime knows the standard library's module only by this name.
      case "Swift": ["s"]
      case "Foundation": [Self.mangled(module), Self.mangled("FoundationEssentials")]
      default: [Self.mangled(module)]
      }
    return modules.lazy.compactMap { Self.find(parts.dropFirst(), in: $0) }.first
  }

  /// TEXT.
  public static var storageClass: StorageClass { .text }

  /// The name.
  public var storedValue: Value { .text(name) }

  /// Takes a name, even if this program has no type of that name.
  ///
  /// - Throws: ``ValueError`` when the value is not a text, or is empty.
  public init(storedValue: Value) throws {
    name = try String(storedValue: storedValue)
    if name.isEmpty { throw ValueError.malformed(type: "TypeName") }
  }

  /// A module and four nested types, because each level triples the number of lookups.
  private static let partLimit = 5

  private static func isIdentifier(_ part: Substring) -> Bool {
    guard let first = part.first, !first.isNumber else { return false }
    return part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }

  private static func mangled(_ part: some StringProtocol) -> String { "\(part.utf8.count)\(part)" }

  /// Tries each level as a class, struct and enum, because the runtime needs the kind and the name does not tell it.
  private static func find(_ parts: ArraySlice<Substring>, in outer: String) -> Any.Type? {
    guard let part = parts.first else { return _typeByName(outer) }
    for kind in ["C", "V", "O"] {
      if let found = find(parts.dropFirst(), in: outer + mangled(part) + kind) { return found }
    }
    return nil
  }
}
