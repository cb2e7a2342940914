import Foundation
import NacreCore
import Testing

@testable import NacreDAO

/// The number of elements of a collection, as the calls of a DAO see it.
@Suite struct CountTests {
  @Test func `count is the number of elements of an array, a set and a dictionary`() throws {
    let desk = try Desk(
      methods: """
        <insert id="put" arguments="list">
          <if true="list.count &gt;= 2">insert into ${T} (uin) values (#{list.count})</if>
        </insert>
        <select id="counts" result="[int]">select uin from ${T} order by id</select>
        """
    )
    let two: [Int] = [1, 2]
    let three: Set<String> = ["a", "b", "c"]
    let four: [String: Any] = ["a": 1, "b": 2, "c": 3, "d": 4]
    let five = NSArray(array: [1, 2, 3, 4, 5])
    let none: [Int] = []
    #expect(desk.dao.call("put", [two]).succeeded)
    #expect(desk.dao.call("put", [three]).succeeded)
    #expect(desk.dao.call("put", [four]).succeeded)
    #expect(desk.dao.call("put", [five]).succeeded)
    #expect(desk.dao.call("put", [none]).flags == [.void])
    let counts: [Int] = try desk.dao.call("counts").get()
    #expect(counts == [2, 3, 4, 5])
  }
}
