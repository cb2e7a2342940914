import Testing

@testable import NacreDAO

/// An argument whose name is a value of its own in an expression can't be meant there.
@Suite struct HiddenNameTests {
  private func check(_ marked: String) {
    let (text, places) = Configuration.places(in: "<module>\n\(marked)</module>")
    let issues = Configuration.issues(text)
    #expect(issues.map(\.place) == places, "\(marked) \(issues)")
  }

  @Test(arguments: [
    "<update id='m' arguments='no'><if true='‸no == 5'>a</if></update>",
    "<update id='m' arguments='yes, a'><if false='a or not ‸yes'>a</if></update>",
    "<update id='m' arguments='a' foreach='a.null'><if true='‸null != nil'>a</if></update>",
    "<update id='m' arguments='No, b'><choose><when true='b'>a</when><when true=' ‸No'/></choose></update>",
    """
    <update id='m' arguments='l'>
      <foreach item='no' collection='l'>#{no}<if true='‸no > 1'>a</if></foreach>
      <if true='no'>a</if>
    </update>
    """,
    "<insert id='m' arguments='true'><step>a</step><step><where><if true='‸true'>a</if></where></step></insert>",
  ])
  func `a word that hides an argument is told with its place`(marked: String) { check(marked) }

  @Test(arguments: [
    "<update id='m' arguments='no'>a = #{no} and b = @{no}</update>",
    "<update id='m' arguments='no'><if true='no.count > 1'>a</if></update>",
    "<update id='m' arguments='m'><if true='m.no == 5'>a</if></update>",
    "<update id='m' arguments='no, b'><if true='b == NO'>a</if></update>",
    "<update id='m' arguments='no'>a</update><update id='n' arguments='b'><if true='b == no'>c</if></update>",
    "<update id='m' arguments='no'><if true=\"'no' != nil\">a</if></update>",
  ])
  func `such a name is free where it can be told from the value`(marked: String) { check(marked) }
}
