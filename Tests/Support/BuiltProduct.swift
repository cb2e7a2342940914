import Foundation
import Testing

/// An executable of this package, as the build that runs the tests has made it.
public struct BuiltProduct: Sendable {
  /// The command.
  public static let nacre = BuiltProduct(name: "nacre")
  /// An example.
  public static let garage = BuiltProduct(name: "Garage")
  /// An example.
  public static let classroom = BuiltProduct(name: "Classroom")
  /// An example.
  public static let messages = BuiltProduct(name: "Messages")

  /// The name of the executable's file.
  public let name: String

  /// What a run left behind.
  public struct Outcome: Sendable {
    /// The exit status.
    public let status: Int32
    /// What was written to standard output.
    public let output: String
    /// What was written to standard error.
    public let complaint: String

    /// Whether the run failed as every run should: one line on standard error, and it says who speaks.
    public var complainsInOneLine: Bool {
      complaint.hasPrefix("nacre: ") && complaint.split(separator: "\n").count == 1
        && complaint.hasSuffix("\n")
    }

    /// The last line on standard error, where a command that writes data to standard output says more before it.
    public var lastComplaint: String {
      complaint.split(separator: "\n").last.map(String.init) ?? ""
    }

    /// Everything that was written.
    public var everything: String { output + complaint }
  }

  /// Runs the executable to its end, without a shell.
  public func run(
    _ arguments: [String],
    input: String = "",
    environment: [String: String] = [:],
    through launcher: [String] = []
  ) throws -> Outcome {
    let words = launcher + [try #require(path, "\(name) is not built")] + arguments
    return try BuiltProduct.run(words, input: input, environment: environment)
  }

  /// Runs any program to its end, without a shell; its path is the first word.
  ///
  /// Its output goes to files, for a full pipe would hold it up.
  public static func run(
    _ words: [String],
    input: String = "",
    environment: [String: String] = [:]
  ) throws -> Outcome {
    let directory = try TemporaryDirectory()
    try Data(input.utf8).write(to: URL(fileURLWithPath: directory.file("in")))
    for name in ["out", "err"] { try Data().write(to: URL(fileURLWithPath: directory.file(name))) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = BuiltProduct.mutation.merging(environment) { $1 }
    process.standardInput = FileHandle(forReadingAtPath: directory.file("in"))
    process.standardOutput = FileHandle(forWritingAtPath: directory.file("out"))
    process.standardError = FileHandle(forWritingAtPath: directory.file("err"))
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit, "\(words[0]) ended by signal")
    return Outcome(
      status: process.terminationStatus,
      output: String(decoding: try directory.bytes("out"), as: UTF8.self),
      complaint: String(decoding: try directory.bytes("err"), as: UTF8.self)
    )
  }

  /// Which mutant is awake, and where it is told that one was met, when `script/mutate` runs the tests; empty otherwise.
  public static let mutation = ProcessInfo.processInfo.environment.filter {
    $0.key.hasPrefix("NACRE_MUTANT")
  }

  /// Executables lie beside the bundle of the tests; on Linux that is the running executable itself.
  public var path: String? {
    let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }
    let folders =
      bundles.map { $0.bundleURL.deletingLastPathComponent() }
      + [URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
      + [Bundle.main.bundleURL]
    return folders.map { $0.appendingPathComponent(name).path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
