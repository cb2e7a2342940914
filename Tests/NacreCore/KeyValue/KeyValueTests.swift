import Foundation
import NacreCore
import Testing
@testable import TestSupport

@Suite struct KeyValueTests {
  @Test func `a property is read and set by its name`() throws {
    let gadget = Gadget.create()
    try gadget.setValue("lamp", forKey: "name")
    try gadget.setValue(3, forKey: "count")
    #expect(gadget.name == "lamp" && gadget.count == 3)
    #expect(try gadget.value(forKey: "name") as? String == "lamp")
    #expect(try gadget.value(forKey: "made") == nil)
    #expect(try gadget.value(forKey: "objectID") as? UUID == gadget.objectID)
    let error = #expect(throws: NacreError.self) { try gadget.setValue(1, forKey: "colour") }
    #expect(error?.code == .noSuchProperty && error?.property == "colour")
  }

  @Test func `a date is set by a number or a Date and reads back equal`() throws {
    let gadget = Gadget.create()
    let date = Date(timeIntervalSince1970: 1_700_000_000.5)
    for given in [date, 1_700_000_000.5, "2023-11-14T22:13:20.500Z"] as [Any] {
      gadget.made = nil
      try gadget.setValue(given, forKey: "made")
      #expect(gadget.made == date)
    }
    try gadget.setValue(NSNumber(value: 1_700_000_000), forKey: "made")
    #expect(gadget.made == Date(timeIntervalSince1970: 1_700_000_000))
  }

  @Test func `a value that is read by its name has the property's own type`() throws {
    let test = try TestStore()
    let gadget = Gadget.create()
    gadget.use(test.store)
    try gadget.setValue(1_700_000_000.5, forKey: "made")
    try gadget.setValue("https://example.org/a", forKey: "page")
    try gadget.setValue("3467374639467936.3746374639", forKey: "price")
    try gadget.setValue("glossy", forKey: "finish")
    try gadget.save()
    let stored = try #require(try test.store.read { _ in try Gadget.fetch(id: gadget.objectID) })
    for gadget in [gadget, stored] {
      let made = try gadget.value(forKey: "made") as? Date
      #expect(made == Date(timeIntervalSince1970: 1_700_000_000.5))
      #expect(try gadget.value(forKey: "page") as? URL == URL(string: "https://example.org/a"))
      let price = try gadget.value(forKey: "price") as? Decimal
      #expect(price == Decimal(string: "3467374639467936.3746374639"))
      #expect(try gadget.value(forKey: "finish") as? Gadget.Finish == .glossy)
    }
  }

  @Test func `a value is converted to the property's type`() throws {
    let gadget = Gadget.create()
    try gadget.setValue("https://example.org/a", forKey: "page")
    try gadget.setValue("AQID", forKey: "photo")
    try gadget.setValue("6BA7B810-9DAD-11D1-80B4-00C04FD430C8", forKey: "token")
    try gadget.setValue("3467374639467936.3746374639", forKey: "price")
    try gadget.setValue(1, forKey: "isNew")
    try gadget.setValue(7.0, forKey: "count")
    try gadget.setValue(2, forKey: "weight")
    try gadget.setValue("glossy", forKey: "finish")
    try gadget.setValue(["width": 3, "height": 0.25], forKey: "size")
    try gadget.setValue(["a", "b"], forKey: "tags")
    #expect(gadget.page == URL(string: "https://example.org/a"))
    #expect(gadget.photo == Data([1, 2, 3]))
    #expect(gadget.token == UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    #expect(gadget.price == Decimal(string: "3467374639467936.3746374639"))
    #expect(gadget.isNew && gadget.count == 7 && gadget.weight == 2 && gadget.finish == .glossy)
    #expect(gadget.size == Gadget.Size(width: 3, height: 0.25))
    #expect(gadget.tags == ["a", "b"])
    try gadget.setValue(NSNull(), forKey: "page")
    #expect(gadget.page == nil)
  }

  @Test(arguments: [
    ("name", 5 as any Sendable), ("name", Data([1])), ("count", 1.5), ("count", 40_000),
    ("count", "1"), ("isNew", 2), ("finish", "silver"), ("page", ""), ("token", "no"),
    ("photo", "***"), ("made", "yesterday"), ("size", ["width": "x"]), ("weight", NSNull()),
    ("part", 3), ("parts", "x"),
  ])
  func `a value that does not fit is an error and changes nothing`(
    name: String,
    value: any Sendable
  ) throws {
    let gadget = Gadget.create()
    let before = try gadget.toJSON()
    let error = #expect(throws: NacreError.self) { try gadget.setValue(value, forKey: name) }
    #expect(error?.code == .valueMismatch && error?.property == name)
    #expect(try gadget.toJSON() == before)
  }

  @Test func `a number of Foundation's that 64 signed bits don't hold is refused`() throws {
    let gadget = Gadget.create()
    let (most, more) = (NSNumber(value: Int64.max), NSNumber(value: UInt64(Int64.max) + 1))
    try gadget.setValue(most, forKey: "price")
    #expect(gadget.price == Decimal(Int64.max))
    try gadget.setValue(NSNumber(value: UInt64(Int64.max)), forKey: "price")
    #expect(gadget.price == Decimal(Int64.max))
    let wrong: [(Any, String)] = [
      (more, "price"), (NSNumber(value: UInt64.max), "weight"), (NSNumber(value: UInt.max), "made"),
      (["width": NSNumber(value: UInt64.max), "height": 1], "size"),
    ]
    for (value, name) in wrong {
      let error = #expect(throws: NacreError.self) { try gadget.setValue(value, forKey: name) }
      #expect(error?.code == .valueMismatch && error?.property == name)
      #expect(error?.cause as? ValueError == .outOfRange(type: "Int64"))
    }
    #expect(gadget.weight == 1.5 && gadget.made == nil && gadget.size.width == 0)
    let flags = try JSONValue(any: [
      NSNumber(value: true), NSNumber(value: 1), NSNumber(value: 1.5),
    ])
    #expect("\(flags)" == "\(JSONValue.array([.bool(true), .integer(1), .number(1.5)]))")
  }

  @Test func `a path goes on through children, loaded links and dictionaries`() throws {
    let (gadget, part, person) = (Gadget.create(), Gadget.create(), Person.create())
    part.name = "bulb"
    part.parts = [Gadget.create(), Gadget.create()]
    person.code = "p"
    gadget.maker = Link(person)
    #expect(try gadget.value(forKeyPath: "part.name") == nil)
    gadget.part = part
    #expect(try gadget.value(forKeyPath: "part.name") as? String == "bulb")
    #expect(try gadget.value(forKeyPath: "part.parts.count") as? Int == 2)
    #expect(try gadget.value(forKeyPath: "maker.code") as? String == "p")
    let error = #expect(throws: NacreError.self) { try gadget.value(forKeyPath: "name.x") }
    #expect(error?.code == .noSuchProperty)
  }

  @Test func `a link is set by an object or an identifier, and links are not set`() throws {
    let (gadget, person) = (Gadget.create(), Person.create())
    try gadget.setValue(person, forKey: "maker")
    #expect(gadget.maker?.loaded === person)
    try gadget.setValue(person.objectID.uuidString, forKey: "maker")
    #expect(gadget.maker?.objectID == person.objectID)
    let car = Car.create()
    let error = #expect(throws: NacreError.self) { try car.setValue([person], forKey: "drivers") }
    #expect(error?.code == .valueMismatch)
  }

  @Test func `a property that was set by name is saved as changed`() throws {
    let test = try TestStore()
    let gadget = Gadget.create()
    gadget.use(test.store)
    try gadget.save()
    try gadget.setValue("new", forKey: "name")
    let writes = try test.writes { try gadget.save() }
    #expect(writes.count == 1 && writes[0].hasPrefix("UPDATE \"Gadget\" SET \"name\" = "))
  }
}
