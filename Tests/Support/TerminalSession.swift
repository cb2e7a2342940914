import Foundation
import Testing

/// A conversation with a product of this package over a pseudo-terminal.
public final class TerminalSession {
  /// Gives a command a terminal of its own.
  private static let launcher = "/usr/bin/script"

  /// Whether there is a program that gives a command a terminal, with the arguments that it has on Linux.
  public static var isAvailable: Bool {
    #if os(Linux)
    FileManager.default.isExecutableFile(atPath: launcher)
    #else
    false
    #endif
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  /// All that has stood on the terminal.
  public private(set) var text = ""

  /// Starts a product.
  public init(
    _ product: BuiltProduct,
    _ arguments: [String],
    environment: [String: String] = [:]
  ) throws {
    let path = try #require(product.path, "\(product.name) is not built")
    let words = ([path] + arguments).map { "'\($0)'" }
    process.executableURL = URL(fileURLWithPath: Self.launcher)
    process.arguments = ["-qec", words.joined(separator: " "), "/dev/null"]
    process.environment = BuiltProduct.mutation.merging(["SHELL": "/bin/sh"]) { $1 }
      .merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try output.fileHandleForWriting.close()
  }

  /// Waits until the product has written `prompt`, and types a line.
  public func answer(_ prompt: String, _ line: String) throws {
    while !text.hasSuffix(prompt), read() {}
    #expect(text.hasSuffix(prompt))
    text += "\n"
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Waits for the product's end, and returns its exit status.
  public func finish() -> Int32 {
    while read() {}
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func read() -> Bool {
    let bytes = output.fileHandleForReading.availableData
    text += String(decoding: bytes, as: UTF8.self)
    return !bytes.isEmpty
  }
}
