import Testing

@testable import NacreDAO

/// The names and words of MyBatis are answered with ours.
@Suite struct ForeignNameTests {
  @Test(arguments: [
    ("<update id='m'><if test='a != null'>b</if></update>", "true="),
    ("<select id='m' resultType='int'>a</select>", "result="),
    ("<select id='m' resultMap='r'>a</select>", "<map>"),
    ("<select id='m' parameterType='int'>a</select>", "arguments="),
    ("<resultMap id='r' type='A'/>", "<map>"),
    ("<insert id='m' useGeneratedKeys='true'>a</insert>", "insertedRowID"),
    ("<insert id='m'><selectKey>a</selectKey>b</insert>", "insertedRowID"),
    ("<update id='m' arguments='name'>a = ${name}</update>", "#{name}, or @{name}"),
    ("<update id='m' arguments='list'><if true='list.size() > 0'>a</if></update>", ".count"),
  ])
  func `a name of MyBatis's is refused with ours`(text: String, word: String) {
    let issues = Configuration.issues("<module>\(text)</module>")
    #expect(issues.contains { $0.message.contains(word) }, "\(issues)")
  }

  @Test func `the size of a list at a call is answered with its count`() throws {
    let desk = try Desk(
      methods: #"<select id="size" arguments="list" result="int">select #{list.size}</select>"#
    )
    let error = try #require(desk.dao.call("size", [[1, 2]]).error)
    #expect("\(error)".contains("“count”"))
  }
}
