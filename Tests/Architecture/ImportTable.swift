/// Which room may import what: the arrows of Package.swift, which the compiler does not hold.
///
/// SwiftPM lets a target import whatever lies below its dependencies.
enum ImportTable {
  /// The rooms and packages on which each room stands.
  static let arrows: [String: Set<String>] = [
    "CSQLite": [],
    "COpenSSL": [],
    "CPQ": [],
    "NacreEngine": [],
    "NacreSQLite": ["CSQLite", "NacreEngine"],
    "NacrePostgres": ["CPQ", "NacreEngine"],
    "NacreCrypto": ["COpenSSL"],
    "NacreStore": ["NacreEngine", "NacreCrypto", "Logging"],
    "NacreUpkeep": ["NacreEngine", "NacreCrypto", "NacreStore"],
    "NacreOpen": [
      "NacreEngine", "NacreSQLite", "NacrePostgres", "NacreCrypto", "NacreStore", "NacreUpkeep",
    ],
    "NacreCore": ["NacreEngine", "NacreCrypto", "NacreStore", "NacreUpkeep"],
    "NacreRecords": ["NacreEngine", "NacreStore", "NacreCore"],
    "NacreDAO": ["NacreStore", "NacreOpen", "NacreCore"],
    "NacreMacros": [
      "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftDiagnostics",
      "SwiftCompilerPlugin",
    ],
    "Nacre": ["NacreCore", "NacreRecords", "NacreOpen"],
    "NacreTool": ["NacreStore", "NacreUpkeep", "NacreOpen", "ArgumentParser"],
    "Garage": ["Nacre"],
    "Classroom": ["Nacre"],
    "Messages": ["Nacre", "NacreDAO"],
  ]

  /// The compiler plug-ins of a room: declared in Package.swift, never imported.
  static let plugins: [String: Set<String>] = ["Nacre": ["NacreMacros"]]

  /// What a room may import of the system.
  static let system: [String: Set<String>] = [
    "NacreSQLite": ["Darwin", "Foundation", "Glibc", "Musl", "Synchronization"],
    "NacrePostgres": ["Darwin", "Foundation", "Glibc", "Musl", "Synchronization"],
    "NacreCrypto": ["Darwin", "Glibc", "Musl", "Synchronization"],
    "NacreEngine": [
      "AppKit", "CoreGraphics", "Darwin", "Dispatch", "Foundation", "Glibc", "Musl",
      "Synchronization", "UIKit",
    ],
    "NacreStore": ["Darwin", "Dispatch", "Foundation", "Glibc", "Musl", "Synchronization"],
    "NacreCore": ["Darwin", "Dispatch", "Foundation", "Glibc", "Observation", "Synchronization"],
    "NacreRecords": ["Foundation", "Synchronization"],
    "NacreUpkeep": ["Dispatch", "Foundation", "Synchronization"],
    "NacreDAO": ["Foundation", "FoundationXML", "Synchronization"],
    "NacreTool": ["Foundation", "Synchronization"],
    "Garage": ["Foundation"],
    "Classroom": ["Foundation"],
    "Messages": ["Foundation"],
  ]

  /// The only folders of their room that may import a module.
  static let folders = ["COpenSSL": ["Libcrypto/", "Primitives/"], "FoundationXML": ["XML/"]]

  /// The modules that a file imports.
  static func imports(_ file: SourceFile) -> [String] {
    let pattern =
      /(?:^|[\s;])import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)/
    return SwiftScanner(file.text).code.matches(of: pattern).map { String($0.1) }
  }

  static func violations(_ file: SourceFile) -> [String] {
    guard let rooms = arrows[file.room] else { return ["\(file.path): no row for \(file.room)"] }
    let allowed = rooms.union(system[file.room, default: []])
    return imports(file).compactMap { module in
      guard allowed.contains(module) else { return "\(file.path): imports \(module)" }
      guard let homes = folders[module], !homes.contains(where: { file.place.hasPrefix($0) }) else {
        return nil
      }
      return "\(file.path): imports \(module) outside of \(homes.joined(separator: " and "))"
    }
  }
}
