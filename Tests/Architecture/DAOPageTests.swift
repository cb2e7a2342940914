import Foundation
import Testing

/// The page DAO.md shows what the example `Messages` is made of, and what is run beside it.
@Suite struct DAOPageTests {
  private struct Block {
    let line: Int
    let language: String
    let lines: [String]

    var isManifest: Bool { lines.first?.hasPrefix("// swift-tools-version:") == true }
  }

  /// Lines without what stands before and behind them; the empty ones are left out.
  private static func bare(_ lines: some Sequence<Substring>) -> [String] {
    lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  private static func blocks(of page: String) -> [Block] {
    var blocks: [Block] = []
    var open: (line: Int, language: String, lines: [Substring])?
    for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if let block = open, line == "```" {
        blocks.append(Block(line: block.line, language: block.language, lines: bare(block.lines)))
        open = nil
      } else if open != nil {
        open?.lines.append(line)
      } else if line.hasPrefix("```") {
        open = (index + 1, String(line.dropFirst(3)), [])
      }
    }
    // One that is not closed goes on to the page's end, and is nothing of the example's.
    if let open {
      blocks.append(Block(line: open.line, language: open.language, lines: bare(open.lines)))
    }
    return blocks
  }

  @Test func `every code block of the page is part of the examples`() throws {
    let files = [
      "Examples/Messages/History/History.swift", "Examples/Messages/History/MessageDAO.swift",
      "Examples/Messages/Resources/chat.xml", "Tests/NacreDAO/DAOPageExampleTests.swift",
    ]
    let texts = try files.map { name in
      let lines = try Repository.file(name).lines
      return (name, "\n" + Self.bare(lines).joined(separator: "\n") + "\n")
    }
    let blocks = Self.blocks(of: try Repository.file("DAO.md").text)
    #expect(blocks.count > 8)
    for block in blocks where !block.isManifest {
      let text = "\n" + block.lines.joined(separator: "\n") + "\n"
      #expect(!block.lines.isEmpty && ["swift", "xml"].contains(block.language))
      #expect(
        texts.contains { name, example in
          name.hasSuffix(block.language) && example.contains(text)
        },
        "DAO.md:\(block.line) is no part of the examples"
      )
    }
  }

  @Test func `the manifest that the page shows asks for what there is`() throws {
    let manifest = Set(Self.bare(try Repository.file("Package.swift").lines))
    let blocks = Self.blocks(of: try Repository.file("DAO.md").text)
    let block = try #require(blocks.filter(\.isManifest).first)
    for line in block.lines.prefix(2) + ["platforms: [.macOS(.v15)],"] {
      #expect(manifest.contains(line) && block.lines.contains(line), "\(line)")
    }
    let products = block.lines.flatMap { $0.matches(of: /\.product\(name: ("\w+")/).map(\.1) }
    #expect(products == [#""Nacre""#, #""NacreDAO""#])
    for product in products {
      #expect(manifest.contains { $0.hasPrefix(".library(name: \(product),") }, "\(product)")
    }
  }
}
