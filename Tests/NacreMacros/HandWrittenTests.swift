import Foundation
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

@testable import NacreMacros

/// What stands on NacreCore alone writes its entities' conformance by hand, and what is measured with it has to be what
/// `@Entity` makes: every such text in the benchmarks is the macro's own.
struct HandWrittenTests {
  @Test(arguments: ["Sample", "SealedSample", "Car", "SealedCar", "CarParts"])
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
    let properties = conformance.matches(of: /\n  (var .+?) \{ didSet/).map { match in
      let property = try? /var (\w+)/.firstMatch(in: match.1)?.1
      let isSealed = conformance.contains("\(property ?? "") = try row.open(")
      return (isSealed ? "@Encrypted " : "") + match.1
    }
    let source = "@Entity final class \(name) {\n\(properties.joined(separator: "\n"))\n}"
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
    // The harness does not know qualified attributes, so their observers are put in here.
    return expanded.description.replacing(
      /@Nacre\.EntityProperty\((\d+)\)\s*(?:@Encrypted\s*)?(var [^\n]+)/
    ) { "\($0.2) { didSet { entityState.markChanged(\($0.1)) } }" }
  }

  /// The text without white space and comments.
  private static func squeezed(_ text: String) -> String {
    text.replacing(/\/\/[^\n]*/, with: "").filter { !$0.isWhitespace }
  }
}
