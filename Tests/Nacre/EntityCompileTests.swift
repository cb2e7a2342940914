import Foundation
public import Nacre
import Testing

// Entities that must compile: one property for each kind of type that design.md names. The suites
// below assert what their schemas say of them.

enum Fuel: String { case petrol, diesel }
enum Gear: Int { case first = 1, second }
enum Trim: String, Codable { case base, luxury }
struct Position: Codable, Equatable {
  var x = 0.0
  var y = 0.0
}
struct Money: StorableValue {
  var cents: Int64 = 0
  static var storageClass: StorageClass { .integer }
  var storedValue: Value { .integer(cents) }
  init(cents: Int64 = 0) { self.cents = cents }
  init(storedValue: Value) throws { cents = try Int64(storedValue: storedValue) }
}

@Entity final class AllValues {
  var bool = false
  var int = 0
  var int8: Int8 = 0
  var int16: Int16 = 0
  var int32: Int32 = 0
  var int64: Int64 = 0
  var uint: UInt = 0
  var uint8: UInt8 = 0
  var uint16: UInt16 = 0
  var uint32: UInt32 = 0
  var uint64: UInt64 = 0
  var float: Float = 0
  var double = 0.0
  var string = ""
  var data = Data()
  var date = Date()
  var uuid = UUID()
  var url = URL(filePath: "/")
  var decimal: Decimal = 0
  var fuel = Fuel.petrol
  var gear: Gear = .first
  var trim: Trim = .base
  var position = Position()
  var price = Money()
  var strings: [String] = []
  var numbers: [String: Int] = [:]
}

@Entity final class AllOptionals {
  var bool: Bool?
  var int: Int?
  var int8: Int8?
  var int16: Int16?
  var int32: Int32?
  var int64: Int64?
  var uint: UInt?
  var uint8: UInt8?
  var uint16: UInt16?
  var uint32: UInt32?
  var uint64: UInt64?
  var float: Float?
  var double: Double?
  var string: String?
  var data: Data?
  var date: Date?
  var uuid: UUID?
  var url: URL?
  var decimal: Decimal?
  var fuel: Fuel?
  var gear: Gear?
  var trim: Trim?
  var position: Position?
  var price: Money?
  var strings: [String]?
  var numbers: [String: Int]?
}

@Entity final class AllSealed {
  @Encrypted var bool = false
  @Encrypted var int: Int?
  @Encrypted var uint64: UInt64 = 0
  @Encrypted var double: Double?
  @Encrypted var string = ""
  @Encrypted var data: Data?
  @Encrypted var date: Date?
  @Encrypted var uuid: UUID?
  @Encrypted var url: URL?
  @Encrypted var decimal: Decimal?
  @Encrypted var fuel: Fuel?
  @Encrypted var gear = Gear.first
  @Encrypted var trim: Trim?
  @Encrypted var position: Position?
  @Encrypted var price: Money?
  @Encrypted var strings: [String] = []
  @Encrypted var numbers: [String: Int]?
}

@Entity final class Vehicle {
  var name = ""
  @Relationship(delete: .deny) var motor: Motor?
  @Relationship(removed: .delete) var axles: [Axle] = []
  @Relationship(inverse: \Bench.vehicle) var benches: [Bench] = []
  var keeper: Link<Keeper>?
  var drivers = Links<Keeper>()
  @Relationship(table: "vehicle_guest") var guests = Links<Passenger>()
  @Relationship(inverse: \Bench.vehicle) var benchLinks: Links<Bench> = Links()
}
@Entity final class Motor { var power = 0 }
@Entity final class Axle { var load = 0.0 }
@Entity final class Bench { var vehicle: Link<Vehicle>? }
@Entity(table: "people", objectID: .v4) final class Keeper {
  var name = ""
  var boss: Link<Keeper>?
  @Relationship(inverse: \Keeper.boss) var reports = Links<Keeper>()
}
@Entity final class Passenger {
  @Relationship(inverse: \Vehicle.guests) var rides = Links<Vehicle>()
}

/// A chain whose release is deep: each owns the next.
@Entity final class Chain {
  var next: Chain?
  var label = ""
}

/// Public, with everything that a class may declare itself.
@Entity public final class Exported {
  /// Plain.
  public var name = ""
  private var secret = 1
  /// Set in here only.
  public private(set) var count = 0
  /// All of the column options.
  @Column("full_name", unique: true, indexed: true, default: "nobody") public var fullName =
    "nobody"
  var `default`: Int? = nil
  var `class` = ""
  var row: Motor?
  var walk = 0
  @Transient var scratch = 0
  @Transient let closure: () -> Void = {}
  var observed = "" { didSet { scratch += 1 } }
  var foreseen = "" { willSet { scratch += 10 } }
  var doubled: Int { count * 2 }
  static let zero = 0

  /// The class's own.
  public init() { count = 7 }
  /// One with a name.
  public convenience init(name: String) {
    self.init()
    self.name = name
  }
}

@Entity final class Marker {}

enum Garage {
  @Entity final class Bay { var number = 0 }
}

@Entity final class Wide {
  var p0 = 0
  var p1 = 1
  var p2 = 2
  var p3 = 3
  var p4 = 4
  var p5 = 5
  var p6 = 6
  var p7 = 7
  var p8 = 8
  var p9 = 9
  var p10 = 10
  var p11 = 11
  var p12 = 12
  var p13 = 13
  var p14 = 14
  var p15 = 15
  var p16 = 16
  var p17 = 17
  var p18 = 18
  var p19 = 19
  var p20 = 20
  var p21 = 21
  var p22 = 22
  var p23 = 23
  var p24 = 24
  var p25 = 25
  var p26 = 26
  var p27 = 27
  var p28 = 28
  var p29 = 29
  var p30 = 30
  var p31 = 31
  var p32 = 32
  var p33 = 33
  var p34 = 34
  var p35 = 35
  var p36 = 36
  var p37 = 37
  var p38 = 38
  var p39 = 39
  var p40 = 40
  var p41 = 41
  var p42 = 42
  var p43 = 43
  var p44 = 44
  var p45 = 45
  var p46 = 46
  var p47 = 47
  var p48 = 48
  var p49 = 49
  var p50 = 50
  var p51 = 51
  var p52 = 52
  var p53 = 53
  var p54 = 54
  var p55 = 55
  var p56 = 56
  var p57 = 57
  var p58 = 58
  var p59 = 59
  var p60 = 60
  var p61 = 61
  var p62 = 62
  var p63 = 63
  var p64 = 64
  var p65 = 65
  var p66 = 66
  var p67 = 67
  var p68 = 68
  var p69 = 69
}

struct EntityCompileTests {
  @Test(arguments: [AllValues.entitySchema, AllOptionals.entitySchema])
  func `every storable type is a column under its own name`(schema: EntitySchema) {
    #expect(
      schema.properties.map(\.name) == [
        "bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32",
        "uint64", "float", "double", "string", "data", "date", "uuid", "url", "decimal", "fuel",
        "gear", "trim", "position", "price", "strings", "numbers",
      ]
    )
    #expect(schema.properties.map(\.column) == schema.properties.map(\.name))
    #expect(schema.properties.filter(\.isSealed).isEmpty)
    #expect(!schema.isRecursive)
  }

  @Test func `every property marked Encrypted is sealed`() {
    #expect(AllSealed.entitySchema.properties.count == 17)
    #expect(AllSealed.entitySchema.properties.filter { !$0.isSealed }.isEmpty)
  }

  @Test func `children and links are properties like values`() {
    let schema = Vehicle.entitySchema
    #expect(schema.name == "Vehicle")
    #expect(schema.table == "Vehicle")
    #expect(
      schema.properties.map(\.name) == [
        "name", "motor", "axles", "benches", "keeper", "drivers", "guests", "benchLinks",
      ]
    )
    #expect(!schema.isRecursive)
    #expect(Chain.entitySchema.isRecursive)
  }

  @Test func `the arguments of Entity reach schema and identifiers`() {
    #expect(Keeper.entitySchema.name == "Keeper")
    #expect(Keeper.entitySchema.table == "people")
    #expect(Keeper.create().objectID.uuid.6 >> 4 == 4)
    #expect(Vehicle.create().objectID.uuid.6 >> 4 == 7)
  }

  @Test func `a public entity keeps its own init, its names and its observers`() {
    let schema = Exported.entitySchema
    #expect(
      schema.properties.map(\.name) == [
        "name", "secret", "count", "fullName", "default", "class", "row", "walk", "observed",
        "foreseen",
      ]
    )
    #expect(schema.property(named: "fullName")?.column == "full_name")
    let object = Exported(name: "a")
    #expect(object.count == 7)
    object.observed = "b"
    #expect(object.scratch == 1)
    object.foreseen = "c"
    #expect(object.scratch == 11)
  }

  @Test func `a class without properties and a nested class are entities`() {
    #expect(Marker.entitySchema.properties.isEmpty)
    #expect(Garage.Bay.entitySchema.name == "Bay")
  }

  @Test func `seventy properties keep their order`() {
    #expect(Wide.entitySchema.properties.map(\.name) == (0..<70).map { "p\($0)" })
  }

  /// In a process of its own: where it fails, it overflows the stack.
  @Test func `a chain of 100,000 children is released without recursion`() async {
    await #expect(processExitsWith: .success) {
      weak var last: Chain?
      func makeChain() -> Chain {
        var head = Chain()
        last = head
        for _ in 0..<100_000 {
          let next = Chain()
          next.next = head
          head = next
        }
        return head
      }
      var head: Chain? = makeChain()
      precondition(last != nil && head?.next != nil)
      head = nil
      precondition(last == nil)
    }
  }
}
