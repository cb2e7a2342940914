import Testing

struct EntityExpansionTests {
  @Test func `an entity of plain values gets its conformance and no deinit`() {
    expectExpansion(
      """
      @Entity final class Car {
        var name = ""
        var color: String?
      }
      """,
      """
      final class Car {
        @Nacre.EntityProperty(0)
        var name = ""
        @Nacre.EntityProperty(1)
        var color: String?

        @exclusivity(unchecked) var entityState = NacreCore.EntityState()

        init() {
        }

        init(row: NacreCore.RowReader) throws {
          name = try row.read(at: 0)
          color = try row.read(at: 1)
          entityState = row.entityState()
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
          try row.bind(name, at: 0)
          try row.bind(color, at: 1)
        }

        func visitChildren(_ walk: NacreCore.GraphWalk) {
        }

        static let entitySchema: NacreCore.EntitySchema = {
          var schema = NacreCore.EntitySchemaBuilder(Car.self, name: "Car")
          schema.add("name", \\Car.name)
          schema.add("color", \\Car.color)
          return schema.build()
        }()
      }

      extension Car: NacreCore.Entity {
      }
      """
    )
  }

  @Test func `children are read, bound, visited and released; links are not released`() {
    expectMembers(
      of: """
        @Entity final class Car {
          var name = ""
          var engine: Engine?
          var wheels: [Wheel] = []
          var owner: Link<Person>?
          var drivers = Links<Person>()
        }
        """,
      """
      final class Car {
        var name = ""
        var engine: Engine?
        var wheels: [Wheel] = []
        var owner: Link<Person>?
        var drivers = Links<Person>()

        @exclusivity(unchecked) var entityState = NacreCore.EntityState()

        init() {
        }

        init(row: NacreCore.RowReader) throws {
          name = try row.read(at: 0)
          engine = try row.read(at: 1)
          wheels = try row.read(at: 2)
          owner = try row.read(at: 3)
          drivers = try row.read(at: 4)
          entityState = row.entityState()
        }

        deinit {
          NacreCore.GraphRelease.take(&engine)
          NacreCore.GraphRelease.take(&wheels)
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
          try row.bind(name, at: 0)
          try row.bind(engine, at: 1)
          try row.bind(wheels, at: 2)
          try row.bind(owner, at: 3)
          try row.bind(drivers, at: 4)
        }

        func visitChildren(_ walk: NacreCore.GraphWalk) {
          walk.visit(engine, at: 1)
          walk.visit(wheels, at: 2)
          walk.visit(owner, at: 3)
          walk.visit(drivers, at: 4)
        }

        static let entitySchema: NacreCore.EntitySchema = {
          var schema = NacreCore.EntitySchemaBuilder(Car.self, name: "Car")
          schema.add("name", \\Car.name)
          schema.add("engine", \\Car.engine)
          schema.add("wheels", \\Car.wheels)
          schema.add("owner", \\Car.owner)
          schema.add("drivers", \\Car.drivers)
          return schema.build()
        }()
      }
      """
    )
  }

  @Test func `an encrypted property is sealed and opened, and is no child whatever its type`() {
    expectMembers(
      of: """
        @Entity final class Car {
          @Encrypted var vin: String?
          @Encrypted var secret: Secret?
        }
        """,
      """
      final class Car {
        @Encrypted var vin: String?
        @Encrypted var secret: Secret?

        @exclusivity(unchecked) var entityState = NacreCore.EntityState()

        init() {
        }

        init(row: NacreCore.RowReader) throws {
          vin = try row.open(at: 0)
          secret = try row.open(at: 1)
          entityState = row.entityState()
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
          try row.seal(vin, at: 0)
          try row.seal(secret, at: 1)
        }

        func visitChildren(_ walk: NacreCore.GraphWalk) {
        }

        static let entitySchema: NacreCore.EntitySchema = {
          var schema = NacreCore.EntitySchemaBuilder(Car.self, name: "Car")
          schema.add("vin", \\Car.vin, sealed: NacreCore.SealedOptions())
          schema.add("secret", \\Car.secret, sealed: NacreCore.SealedOptions())
          return schema.build()
        }()
      }
      """
    )
  }

  @Test func `what the class declares itself is not written again`() {
    expectMembers(
      of: """
        @Entity final class Node {
          var next: Node?
          init() { next = nil }
          init(next: Node) { self.next = next }
          deinit { GraphRelease.take(&next) }
        }
        """,
      """
      final class Node {
        var next: Node?
        init() { next = nil }
        init(next: Node) { self.next = next }
        deinit { GraphRelease.take(&next) }

        @exclusivity(unchecked) var entityState = NacreCore.EntityState()

        init(row: NacreCore.RowReader) throws {
          next = try row.read(at: 0)
          entityState = row.entityState()
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
          try row.bind(next, at: 0)
        }

        func visitChildren(_ walk: NacreCore.GraphWalk) {
          walk.visit(next, at: 0)
        }

        static let entitySchema: NacreCore.EntitySchema = {
          var schema = NacreCore.EntitySchemaBuilder(Node.self, name: "Node")
          schema.add("next", \\Node.next)
          return schema.build()
        }()
      }
      """
    )
  }

  @Test func `computed, static and transient members are passed over`() {
    expectMembers(
      of: """
        @Entity final class Car {
          static var count = 0
          var power = 0
          var doubled: Int { power * 2 }
          var tripled: Int { get { power * 3 } set { power = newValue / 3 } }
          @Transient var scratch = 0
          @Transient let action: () -> Void = {}
          @Transient lazy var cache = 1
          #if DEBUG
          @Transient var trace = ""
          static var traced = 0
          #endif
          var last = 0
        }
        """,
      """
      final class Car {
        static var count = 0
        var power = 0
        var doubled: Int { power * 2 }
        var tripled: Int { get { power * 3 } set { power = newValue / 3 } }
        @Transient var scratch = 0
        @Transient let action: () -> Void = {}
        @Transient lazy var cache = 1
        #if DEBUG
        @Transient var trace = ""
        static var traced = 0
        #endif
        var last = 0

        @exclusivity(unchecked) var entityState = NacreCore.EntityState()

        init() {
        }

        init(row: NacreCore.RowReader) throws {
          power = try row.read(at: 0)
          last = try row.read(at: 1)
          entityState = row.entityState()
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
          try row.bind(power, at: 0)
          try row.bind(last, at: 1)
        }

        func visitChildren(_ walk: NacreCore.GraphWalk) {
        }

        static let entitySchema: NacreCore.EntitySchema = {
          var schema = NacreCore.EntitySchemaBuilder(Car.self, name: "Car")
          schema.add("power", \\Car.power)
          schema.add("last", \\Car.last)
          return schema.build()
        }()
      }
      """
    )
  }
}
