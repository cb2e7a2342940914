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

        @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

        init() {
        }

        init(row: NacreCore.RowReader) throws {
          _name = try row.read(at: 0)
          _color = try row.read(at: 1)
          entityState = row.entityState()
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
          try row.bind(_name, at: 0)
          try row.bind(_color, at: 1)
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

      nonisolated extension Car: NacreCore.Entity, NacreCore.ObservableEntity {}
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

        @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

        @exclusivity(unchecked) var entityChildren = NacreCore.FormerChildren()

        init() {
        }

        init(row: NacreCore.RowReader) throws {
          _name = try row.read(at: 0)
          _engine = try row.read(at: 1)
          _wheels = try row.read(at: 2)
          _owner = try row.read(at: 3)
          _drivers = try row.read(at: 4)
          entityState = row.entityState()
        }

        deinit {
          NacreCore.GraphRelease.take(&_engine)
          NacreCore.GraphRelease.take(&_wheels)
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
          try row.bind(_name, at: 0)
          try row.bind(_engine, at: 1)
          try row.bind(_wheels, at: 2)
          try row.bind(_owner, at: 3)
          try row.bind(_drivers, at: 4)
        }

        func visitChildren(_ walk: NacreCore.GraphWalk) {
          walk.visit(_engine, at: 1)
          walk.visit(_wheels, at: 2)
          walk.visit(_owner, at: 3)
          walk.visit(_drivers, at: 4)
        }

        static let entitySchema: NacreCore.EntitySchema = {
          var schema = NacreCore.EntitySchemaBuilder(Car.self, name: "Car")
          schema.add("name", \\Car.name)
          schema.add("engine", \\Car.engine)
          schema.add("wheels", \\Car.wheels)
          schema.add("owner", \\Car.owner)
          schema.add("drivers", \\Car.drivers)
          schema.attach(\\Car._engine, at: 1)
          schema.attach(\\Car._wheels, at: 2)
          schema.attach(\\Car._owner, at: 3)
          schema.attach(\\Car._drivers, at: 4)
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

        @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

        init() {
        }

        init(row: NacreCore.RowReader) throws {
          _vin = try row.open(at: 0)
          _secret = try row.open(at: 1)
          entityState = row.entityState()
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
          try row.seal(_vin, at: 0)
          try row.seal(_secret, at: 1)
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

  @Test func `members that the class declares itself are not written again`() {
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

        @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

        init(row: NacreCore.RowReader) throws {
          _next = try row.read(at: 0)
          entityState = row.entityState()
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
          try row.bind(_next, at: 0)
        }

        func visitChildren(_ walk: NacreCore.GraphWalk) {
          walk.visit(_next, at: 0)
        }

        static let entitySchema: NacreCore.EntitySchema = {
          var schema = NacreCore.EntitySchemaBuilder(Node.self, name: "Node")
          schema.add("next", \\Node.next)
          schema.attach(\\Node._next, at: 0)
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

        @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

        init() {
        }

        init(row: NacreCore.RowReader) throws {
          _power = try row.read(at: 0)
          _last = try row.read(at: 1)
          entityState = row.entityState()
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
          try row.bind(_power, at: 0)
          try row.bind(_last, at: 1)
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
