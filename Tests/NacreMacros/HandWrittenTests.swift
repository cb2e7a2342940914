import Foundation
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

@testable import NacreMacros

/// The benchmarks on NacreCore alone write their entities' conformance by hand, and have to measure what
/// `@Entity` makes: every such text in the benchmarks is the macro's own.
struct HandWrittenTests {
  @Test(arguments: ["Sample", "SealedSample", "SearchedSample", "Car", "SealedCar", "CarParts"])
  func `the benchmarks' conformances are the macro's expansion`(file: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let url = folder.appending(path: "../../Benchmarks/Sources/Bench/Nacre/\(file).swift")
    let written = try String(contentsOf: url, encoding: .utf8)
    let classes = written.components(separatedBy: "final class ").dropFirst()
    #expect(!classes.isEmpty)
    for text in classes {
      let conformance = "final class " + text.components(separatedBy: "\n///")[0]
      #expect(Self.squeezed(conformance) == Self.squeezed(try Self.expansion(of: conformance)))
    }
  }

  /// Expands the class that has the same properties.
  private static func expansion(of conformance: String) throws -> String {
    let name = try #require(conformance.firstMatch(of: /final class (\w+)/)).1
    let properties = conformance.matches(of: /\n  private var _(.+)/).map { match in
      let property = try? /\w+/.firstMatch(in: match.1)?.0
      let isSealed = conformance.contains("_\(property ?? "") = try row.open(")
      let isSearched = conformance.contains(
        ".\(property ?? ""), sealed: NacreCore.SealedOptions(isSearchable: true)"
      )
      let sealing = isSearched ? "@Encrypted(searchable: true) " : isSealed ? "@Encrypted " : ""
      return sealing + "var " + match.1
    }
    let source = "@Entity final class \(name) {\n\(properties.joined(separator: "\n"))\n}"
    // The harness does not know qualified attributes, so they are expanded by a second pass.
    return expanded(expanded(source).replacing("@Nacre.EntityProperty", with: "@EntityProperty"))
  }

  private static func expanded(_ source: String) -> String {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")]
    )
    let expanded = file.expand(
      macroSpecs: macros,
      contextGenerator: {
        BasicMacroExpansionContext(
          sharingWith: context,
          lexicalContext: $0.allMacroLexicalContexts()
        )
      }
    )
    return expanded.description
  }

  /// The text without white space, comments and the types of computed properties, which the macro leaves to the
  /// compiler where a default value implies them.
  private static func squeezed(_ text: String) -> String {
    text.replacing(/\/\/[^\n]*/, with: "")
      .replacing(/(\n *)var (\w+)(?:: [^=\n]+)?\s*\{/) { "\($0.1)var \($0.2){" }
      .filter { !$0.isWhitespace }
  }
}
