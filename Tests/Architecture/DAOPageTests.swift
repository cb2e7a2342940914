import Foundation
import Testing

/// The page DAO.md shows what the example `Messages` is made of.
@Suite struct DAOPageTests {
  private struct Block {
    let line: Int
    let language: String
    let lines: [String]
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

  @Test func `what the page shows is the example's, line by line`() throws {
    let files = ["History.swift", "MessageDAO.swift", "Resources/chat.xml"]
    let texts = try files.map { name in
      let lines = try Repository.file("Sources/Messages/" + name).lines
      return (name, "\n" + Self.bare(lines).joined(separator: "\n") + "\n")
    }
    let blocks = Self.blocks(of: try Repository.file("DAO.md").text)
    #expect(blocks.count > 4)
    for block in blocks {
      let text = "\n" + block.lines.joined(separator: "\n") + "\n"
      #expect(!block.lines.isEmpty && ["swift", "xml"].contains(block.language))
      #expect(
        texts.contains { name, example in
          name.hasSuffix(block.language) && example.contains(text)
        },
        "DAO.md:\(block.line) is not in Sources/Messages"
      )
    }
  }
}
