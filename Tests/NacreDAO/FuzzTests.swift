import Foundation
import Testing

@testable import NacreDAO

/// Mutated configurations, templates and expressions: whatever they are, there is a module or an error that says where.
///
/// 100,000 in all, and 3,000 in `FuzzStoreTests`; `NACRE_FUZZ_ROUNDS` multiplies them, from other seeds.
@Suite struct FuzzTests {
  static let seeds = Array(
    1...(10
      * UInt64(ProcessInfo.processInfo.environment["NACRE_FUZZ_ROUNDS"].flatMap(Int.init) ?? 1))
  )

  @Test(arguments: seeds)
  func `a mutated configuration is a module or an error with issues`(seed: UInt64) {
    let values = FuzzSamples.values
    var mutation = Mutation(seed: seed, pieces: FuzzSamples.marks)
    var modules = 0
    for _ in 0..<1500 {
      let text = mutation.mutated(FuzzSamples.configurations)
      do throws(ConfigurationError) {
        let module = try ModuleReader.module(of: Data(text.utf8))
        modules += 1
        for method in module.methods.values { render(method.body, values) }
        for upgrade in module.upgrades { render(upgrade.body, values) }
      } catch {
        let lines = text.count { $0.isNewline } + 1
        #expect(!error.issues.isEmpty, "\(text.debugDescription)")
        #expect(
          error.issues.allSatisfy { (1...lines).contains($0.line) && $0.column >= 1 },
          "\(text.debugDescription) \(error.issues)"
        )
      }
    }
    #expect((30..<1400).contains(modules), "of 1500")
  }

  @Test(arguments: seeds)
  func `a mutated template is rendered or an error`(seed: UInt64) {
    let values = FuzzSamples.values
    var mutation = Mutation(seed: seed, pieces: FuzzSamples.signs)
    for _ in 0..<4000 {
      let issues = ConfigurationIssues()
      let text = MarkupText(mutation.mutated(FuzzSamples.templates), place: .start, written: "")
      let expansion = TextExpansion(["a": text, "b": text], issues)
      expansion.resolveAll()
      guard let expanded = expansion.expanded(text) else {
        #expect(!issues.isEmpty, "\(text.text.debugDescription)")
        continue
      }
      do throws(TemplateTextError) {
        let nodes = try TemplateText.pieces(of: expanded.text).map(\.node)
        render(
          .statement([.trim(FuzzSamples.trim, nodes), .loop(FuzzSamples.loop(nodes))]),
          values
        )
      } catch {
        #expect((0...text.text.utf8.count).contains(expanded.source(of: error.offset)))
      }
    }
  }

  @Test(arguments: seeds)
  func `a mutated expression has a value or an error`(seed: UInt64) {
    let values = FuzzSamples.values
    var mutation = Mutation(seed: seed, pieces: FuzzSamples.signs)
    for _ in 0..<4500 {
      let text = mutation.mutated(FuzzSamples.expressions)
      do throws(ExpressionError) {
        let expression = try ExpressionParser.parse(text)
        _ = try? expression.evaluated {
          DAOValue.operand(try values.value(of: $0).value)
        }
      } catch {
        #expect((0...text.count).contains(error.offset), "\(text.debugDescription)")
        #expect(!error.message.isEmpty)
      }
    }
  }

  @Test func `the samples have no mistakes before they are mutated`() throws {
    for text in FuzzSamples.configurations { #expect(Configuration.issues(text) == []) }
    for text in FuzzSamples.expressions { _ = try ExpressionParser.parse(text) }
  }

  /// Renders what a body has; that it ends is all that is asked.
  private func render(_ body: MethodBody, _ values: TestValues) {
    let templates =
      switch body {
      case .statement(let nodes): [nodes]
      case .steps(let steps): steps.map(\.nodes)
      case .attempt(let nodes, let except): [nodes, except]
      }
    for nodes in templates {
      _ = try? TemplateRendering.statement(of: nodes, values, tableName: "t")
    }
  }
}

/// Changes texts in ways that a seed decides: the same ones on every machine.
struct Mutation {
  private var state: UInt64
  private let pieces: [String]

  init(seed: UInt64, pieces: [String]) {
    state = seed
    self.pieces = pieces
  }

  mutating func mutated(_ samples: [String]) -> String {
    var scalars = Array(samples[below(samples.count)].unicodeScalars)
    for _ in 0...below(3) {
      let start = below(scalars.count + 1)
      let end = min(start + below(12), scalars.count)
      switch below(5) {
      case 0: scalars.removeSubrange(start..<end)
      case 1: scalars.insert(contentsOf: Array(scalars[start..<end]), at: below(scalars.count + 1))
      case 2: scalars.removeSubrange(start..<(below(4) == 0 ? scalars.count : end))
      default: scalars.insert(contentsOf: pieces[below(pieces.count)].unicodeScalars, at: start)
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// SplitMix64 (Steele, Lea and Flood, 2014).
  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

enum FuzzSamples {
  static var values: TestValues {
    TestValues([
      "a": 1, "b": nil, "c": "it's", "d": [1, 2], "m": ["a": 1, "b": "x\"", "n": nil], "f": true,
      "r": 0.5, "i": Int64.min, "e": [String](),
    ])
  }
  static let trim = TemplateNode.Trim(
    prefix: "WHERE",
    suffix: ";",
    prefixOverrides: ["and", "or"],
    suffixOverrides: [",", "or"],
    onVoid: .goOn
  )

  static func loop(_ nodes: [TemplateNode]) -> TemplateNode.Loop {
    .init(
      item: "a",
      collection: ReferencePath(root: "d", names: []),
      open: "(",
      separator: "or",
      close: ")",
      isReversed: true,
      empty: nil,
      nodes: nodes
    )
  }

  static let expressions = [
    "(c != nil and a > 2010) or d.count >= 2", "m.b or (not f)", "-a \\ 2 * r + 3.5 % 2 - i / 4",
    "c == 'it\\'s' xor TRUE", "not not f == nil",
  ]
  static let templates = [
    "a = #{a} and b = @{b or \"\"} or c = '@{c}' -- ${T}\n,", "%{'* = #{m.*}', a, b} @{c no \"\"}",
    "${a} ${b} ${t}", "or /* ' */ [x] - @{i} \"@{m.b}\" or", "  and @{c}@{r},  ",
  ]
  static let configurations = [
    """
    <module name="a" initializer="make" tableName="t" version="1.2" upgradeMinVersion="1.0">
    <const x="id, ${y}"/><sql id="y">time</sql>
    <map id="M" result="C"><result property="p" column="c"/></map><crypt class="C" property="s"/>
    <update id="make"><step>create table ${T} (${x})</step><step resumable="true">b</step></update>
    <upgrade toVersion="1.2"><step>alter table ${T}</step></upgrade>
    </module>
    """,
    """
    <module><select id="find" arguments="a, $b" result="[:M]" parallel="true">select * from ${T}
    <where onVoid="quit"><if true="a != nil">AND a = #{a}</if><choose><when false="f">b</when>
    <otherwise>c</otherwise></choose></where></select><map id='M' result='C'/></module>
    """,
    """
    <module><insert id="add" arguments="d" foreach="d.x"><try>insert (%{'#{m.*}', a, b})<except>
    <set><if true="d.count &gt; 1">a = @{c},</if></set></except></try></insert></module>
    """,
    """
    <module><delete id="in"><foreach item="x" collection="d" open="(" separator="," close=")"
    reverse="yes">#{x}</foreach><trim prefix="a" suffixOverrides="," onVoid="ignoreAfter">,</trim>
    <format prefix="set" pairs="m" join=","/><!-- ä --><![CDATA[a < @{m.b}]]></delete></module>
    """,
    """
    <module><const n="id"/><sql id="w"><where><bind name="p" value="'%' + c"/>
    <if true='d[0] == 1 or c != "x"'>${col} = #{p} -- c</if></where></sql><select id="s" arguments="d, c">
    a -<include refid="w"><property name="col" value="${n}"/></include>
    <foreach item="v" index="k" collection="m" open="${n}">#{k}@{v}#{d[1]}</foreach></select></module>
    """,
  ]
  static let signs = [
    "#{", "@{", "${", "%{", "}", "'", "\"", "`", "(", ")", "[", "]", ".", ",", "*", "/", "\\", "-",
    "--", "/*", "*/", "<", ">", "=", "==", "!=", "! =", " and ", " or ", "xor", "not ", "nil",
    " no \"\"",
    " or \"\"", "9", "9223372036854775807", "0", "1.5", "a", "d", "m.n", ".count", "\n", "\0", "ä",
    "\u{301}", "😀", "\r\n", "T", "((((((((", "- - - - ",
  ]
  static let marks =
    signs + [
      "<if true='a'>", "</if>", "<include refid='w'/>", "<bind name='a' value='b'/>", "<step>",
      "</step>", "<try>", "</try>", "<except/>", "<where>",
      "</where>",
      "<foreach item='a' collection='b'>", "</foreach>", "<!--", "-->", "<![CDATA[", "]]>",
      "<?a ?>",
      "<!DOCTYPE a>", "&lt;", "&amp;", "&#0;", "&#x41;", "&e;", "/>", "</", "id='m'",
      "arguments='a'",
      "<module>", "</module>", "<select id='s'/>", "xmlns='a'", "\u{FEFF}", "\u{1}", "=''", "<a",
    ]
}
