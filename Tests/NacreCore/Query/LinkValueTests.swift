import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Links as values: in conditions, groups, orders and rows.
@Suite struct LinkValueTests {
  let school: School

  init() throws { school = try School() }

  private var all: Query<Pupil> { Pupil.all.in(school.store) }
  private var ada: Tutor { school.tutors[0] }

  @Test func `objects are found by a link, by its object, and by having none`() throws {
    let hers = Array(stride(from: 0, to: 18, by: 2))
    #expect(try school.ages(all.where(\.tutor, equals: ada)) == hers)
    #expect(try school.ages(all.where(\.tutor, equals: Link(objectID: ada.objectID))) == hers)
    #expect(try school.ages(Pupil.where(\.tutor, equals: ada).where("age > ?", 12)) == [14, 16])
    #expect(try school.ages(all.where(\.tutor, equals: nil)) == [18, 19])
    #expect(try all.where(\.tutor, equals: Tutor.create()).count() == 0)
    try school.store.read { (_) throws in
      #expect(try Pupil.fetchAll(\.tutor, equals: Link(ada)).count == 9)
      #expect(try Pupil.fetchAll(\.tutor, in: [Link(ada), nil]).count == 11)
    }
  }

  @Test func `objects are counted and added up by their links`() throws {
    let counts = try all.groupCounts(by: \.tutor)
    #expect(counts.map(\.count) == [9, 9, 2] && counts.last?.value == nil)
    #expect(Set(counts.compactMap { $0.value?.objectID }) == Set(school.tutors.map(\.objectID)))
    let sums = try all.groups(by: \.tutor, .sum(\.age))
    #expect(sums.first?.0 == nil && sums.first?.1 == 37)
    let her = try #require(sums.first { $0.0?.objectID == ada.objectID })
    #expect(her.1 == 72)
    #expect(try all.count(distinct: \.tutor) == 2)
  }

  @Test func `a link that is read as a value knows its store`() throws {
    let rows = try all.ordered(by: "age").values(\.age, \.tutor)
    #expect(rows.map(\.0) == Array(0..<20) && rows[18].1 == nil)
    #expect(try rows[0].1?.get().name == "Ada")
    #expect(try all.where("age = 1").values(\.tutor).first??.get().name == "Bea")
  }

  @Test func `an order goes across a link`() throws {
    let some = all.where("age IN (?)", [0, 1, 18])
    #expect(try some.ordered(by: \.tutor, \.name).fetchAll().map(\.age) == [18, 0, 1])
    #expect(try some.ordered(by: \.tutor, \.name, .reverse).fetchAll().map(\.age) == [1, 0, 18])
    let page = try some.ordered(by: \.tutor, \.name).page(1, size: 2)
    #expect(page.items.map(\.age) == [1] && page.totalItems == 3)
  }

  @Test func `an order across a link compares decimals as numbers, also within one table`() throws {
    let store = school.store
    try Invoice.store(["10", "9", "100"], in: store)
    try store.write { _ in
      var former: Docket?
      for invoice in try Invoice.fetchAll(orderBy: "number") {
        let docket = Docket.create()
        docket.number = invoice.number
        docket.invoice = Link(invoice)
        docket.former = former.map { Link($0) }
        try docket.save()
        former = docket
      }
    }
    let dockets = Docket.all.in(store)
    #expect(try dockets.ordered(by: \.invoice, \.total).fetchAll().map(\.number) == [1, 0, 2])
    #expect(
      try dockets.ordered(by: \.former, \.number, .reverse).fetchAll().map(\.number) == [2, 1, 0]
    )
  }

  @Test func `an order by a sealed property of a link's object is refused by name`() {
    expectError(.sealedCondition, entity: "Person", property: "age") {
      _ = try Car.all.in(school.store).ordered(by: \.owner, \.age).fetchAll()
    }
  }

  @Test func `children are no values, and the message names them`() throws {
    let error = thrown(.noSuchProperty, entity: "Car", property: "spare") {
      try school.store.read { _ in _ = try Car.fetchAll(\.spare, equals: nil) }
    }
    #expect(error?.description.contains("neither a stored value nor a link") == true)
    expectError(.noSuchProperty, entity: "Car", property: "wheels") {
      _ = try Car.all.in(school.store).groupCounts(by: \.wheels)
    }
  }
}
