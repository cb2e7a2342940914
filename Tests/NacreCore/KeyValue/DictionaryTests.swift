import Foundation
import NacreCore
import Testing
import TestSupport

@Suite struct DictionaryTests {
  private static func made() -> Gadget {
    let gadget = Gadget.create()
    gadget.name = "lamp"
    gadget.made = Date(timeIntervalSince1970: 1_700_000_000.123)
    gadget.page = URL(string: "https://example.org/a?b=c")
    gadget.photo = Data([0, 255])
    gadget.token = UUID()
    gadget.price = Decimal(string: "0.1")
    gadget.isNew = true
    gadget.count = -7
    gadget.finish = .matt
    gadget.size.width = 9
    gadget.tags = ["x"]
    gadget.secret = "s"
    gadget.part = Gadget.create()
    gadget.part?.name = "bulb"
    gadget.parts = [Gadget.create(), Gadget.create()]
    gadget.maker = Link(objectID: UUID())
    return gadget
  }

  @Test func `a fresh object's dictionary has its properties as they are`() throws {
    let gadget = Self.made()
    let dictionary = try gadget.toDictionary()
    #expect(dictionary["name"] as? String == "lamp")
    #expect(dictionary["made"] as? Date == gadget.made)
    #expect(dictionary["page"] as? URL == gadget.page)
    #expect(dictionary["finish"] as? Gadget.Finish == .matt)
    #expect((dictionary["part"] as? [String: Any])?["name"] as? String == "bulb")
    #expect((dictionary["parts"] as? [[String: Any]])?.count == 2)
    #expect(dictionary["maker"] as? UUID == gadget.maker?.objectID)
    #expect(dictionary["objectID"] == nil)
    #expect((dictionary["part"] as? [String: Any])?["made"] is NSNull)
    #expect(dictionary.count == Gadget.entitySchema.properties.count)
    let known = try gadget.toDictionary(includesObjectID: true)["objectID"] as? String
    #expect(known == gadget.objectID.uuidString)
  }

  @Test func `JSON holds the whole graph and makes an equal one`() throws {
    let gadget = Self.made()
    let json = try gadget.toJSON(includesObjectID: true)
    #expect(json["made"] == 1_700_000_000.123)
    #expect(json["photo"] == "AP8=" && json["price"] == "0.1" && json["isNew"] == true)
    #expect(json["size"]?["width"] == 9 && json["finish"] == "matt")
    let text = try JSONEncoder().encode(json)
    let copy = Gadget()
    try copy.populate(with: JSONDecoder().decode(JSONValue.self, from: text))
    #expect(copy.objectID == gadget.objectID && copy.part?.objectID == gadget.part?.objectID)
    #expect(try copy.toJSON(includesObjectID: true) == json)
  }

  @Test func `a stored and fetched object has the same dictionary`() throws {
    let test = try TestStore()
    let gadget = Self.made()
    gadget.maker = nil
    gadget.use(test.store)
    try gadget.save()
    let fetched = try #require(try test.store.read { _ in try Gadget.fetch(id: gadget.objectID) })
    #expect(try fetched.toJSON(includesObjectID: true) == gadget.toJSON(includesObjectID: true))
  }

  @Test func `a missing key leaves the property, and an unknown one is ignored or refused`() throws
  {
    let gadget = Self.made()
    try gadget.populate(with: ["count": 5, "colour": "red"])
    #expect(gadget.count == 5 && gadget.name == "lamp")
    var options = PopulateOptions()
    options.unknownKeys = .refuse
    let error = #expect(throws: NacreError.self) {
      try gadget.populate(with: ["count": 6, "colour": "red"], options)
    }
    #expect(error?.code == .noSuchProperty && error?.property == "colour")
    #expect(gadget.count == 5)
  }

  @Test func `when one value does not fit nothing is set`() throws {
    let gadget = Self.made()
    let before = try gadget.toJSON(includesObjectID: true)
    let error = #expect(throws: NacreError.self) {
      try gadget.populate(with: ["name": "new", "part": ["name": "new"], "weight": "heavy"])
    }
    #expect(error?.code == .valueMismatch && error?.property == "weight")
    #expect(try gadget.toJSON(includesObjectID: true) == before)
  }

  @Test func `an object does not take over an objectID beside a value that does not fit`() throws {
    let (gadget, given) = (Gadget(), UUID())
    #expect(throws: NacreError.self) {
      try gadget.populate(with: ["objectID": given, "weight": "heavy"])
    }
    #expect(gadget.objectID != given)
    let other = Gadget()
    try other.populate(with: ["objectID": given, "weight": 2])
    #expect(other.objectID == given)
  }

  @Test func `children are updated by objectID, made, or refused`() throws {
    let gadget = Self.made()
    let (bulb, first, second) = (gadget.part, gadget.parts[0], gadget.parts[1])
    try gadget.populate(with: [
      "part": ["name": "LED"],
      "parts": [["objectID": second.objectID.uuidString, "name": "b"], ["name": "c"]],
    ])
    #expect(gadget.part === bulb && bulb?.name == "LED")
    #expect(gadget.parts.map(\.name) == ["b", "c"] && gadget.parts[0] === second)
    #expect(!gadget.parts.contains { $0 === first })
    var options = PopulateOptions()
    options.children = .make
    try gadget.populate(with: ["part": ["objectID": UUID().uuidString, "name": "x"]], options)
    #expect(gadget.part !== bulb && gadget.part?.name == "x")
    options.children = .refuse
    let error = #expect(throws: NacreError.self) {
      try gadget.populate(with: ["part": ["name": "y"]], options)
    }
    #expect(error?.code == .valueMismatch && error?.property == "part")
    #expect(gadget.part?.name == "x")
    try gadget.populate(with: ["part": nil, "parts": [String]()])
    #expect(gadget.part == nil && gadget.parts.isEmpty)
  }

  @Test func `another object's identifier is refused on a stored object`() throws {
    let test = try TestStore()
    let gadget = Gadget.create()
    gadget.use(test.store)
    try gadget.save()
    try gadget.populate(with: ["objectID": gadget.objectID, "name": "same"])
    let error = #expect(throws: NacreError.self) {
      try gadget.populate(with: ["objectID": UUID()])
    }
    #expect(error?.code == .valueMismatch && gadget.name == "same")
  }

  @Test func `a cycle and a shared child end, and a chain too deep for JSON is an error`() throws {
    let (gadget, shared) = (Gadget.create(), Gadget.create())
    gadget.parts = [shared, shared]
    gadget.part = gadget
    let json = try gadget.toJSON(includesObjectID: true)
    #expect(json["part"] == .object(["objectID": .string(gadget.objectID.uuidString)]))
    let copy = Gadget()
    try copy.populate(with: json)
    #expect(copy.part === copy && copy.parts[0] === copy.parts[1])
    gadget.part = nil
    copy.part = nil
    let head = Gadget.create()
    var tail = head
    for _ in 0..<100_000 {
      let next = Gadget.create()
      tail.part = next
      tail = next
    }
    let error = #expect(throws: NacreError.self) { try head.toJSON() }
    #expect(error?.code == .valueMismatch)
  }

  @Test(arguments: [(254, true), (255, false), (256, false), (300, false)])
  func `children that JSON can't nest are an error with its place`(levels: Int, fits: Bool) throws {
    let top = Gadget.create()
    var last = top
    for _ in 0..<levels {
      let part = Gadget.create()
      last.parts = [part]
      last = part
    }
    #expect(try top.toDictionary().isEmpty == false)
    if fits {
      #expect(try top.toJSON()["parts"]?[0]?["name"] == "")
      // One level more, of which the lists that are in it are the last that Foundation's encoder writes.
      last.part = Gadget.create()
      let data = try JSONEncoder().encode(Coded(top))
      let copy = try JSONDecoder().decode(Coded<Gadget>.self, from: data).object
      let json = try top.toJSON(includesObjectID: true)
      return #expect(try copy.toJSON(includesObjectID: true) == json)
    }
    let error = #expect(throws: NacreError.self) { try top.toJSON() }
    #expect(error?.code == .valueMismatch && error?.entity == "Gadget")
    let coded = #expect(throws: NacreError.self) {
      try JSONEncoder().encode(Coded(top))
    }
    #expect(coded?.code == .valueMismatch)
  }

  @Test func `Codable carries a whole graph`() throws {
    let gadget = Self.made()
    let data = try JSONEncoder().encode(Coded(gadget))
    let copy = try JSONDecoder().decode(Coded<Gadget>.self, from: data).object
    #expect(try copy.toJSON(includesObjectID: true) == gadget.toJSON(includesObjectID: true))
    #expect(!copy.isStored && copy.objectID == gadget.objectID)
    let test = try TestStore()
    copy.maker = nil
    copy.use(test.store)
    try copy.save()
    #expect(try test.store.read { _ in try Gadget.count() } == 4)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(Coded<Gadget>.self, from: Data("[1]".utf8))
    }
  }
}
