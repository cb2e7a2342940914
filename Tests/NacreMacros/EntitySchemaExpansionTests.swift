import Testing

struct EntitySchemaExpansionTests {
  @Test func `a class without properties gets a schema that is never mutated`() {
    expectMembers(
      of: """
        @Entity final class Marker {
        }
        """,
      """
      final class Marker {

        @exclusivity(unchecked) var entityState = NacreCore.EntityState()

        @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

        init() {
        }

        init(row: NacreCore.RowReader) throws {
          entityState = row.entityState()
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
        }

        func visitChildren(_ walk: NacreCore.GraphWalk) {
        }

        static let entitySchema: NacreCore.EntitySchema = {
          let schema = NacreCore.EntitySchemaBuilder(Marker.self, name: "Marker")
          return schema.build()
        }()
      }
      """
    )
  }

  @Test func `the arguments of Entity reach the schema`() {
    expectSchema(
      of: #"@Entity(table: "cars", objectID: .v4)"#,
      "",
      #"let schema = NacreCore.EntitySchemaBuilder(Car.self, name: "Car", table: "cars", identifiers: .v4)"#
    )
  }

  @Test func `a module before an attribute changes nothing`() {
    expectSchema(
      of: "@Entity",
      "@Nacre.Encrypted var vin: String?",
      #"""
      var schema = NacreCore.EntitySchemaBuilder(Car.self, name: "Car")
      schema.add("vin", \Car.vin, sealed: NacreCore.SealedOptions())
      """#
    )
  }

  @Test func `the arguments of Column become options of the column`() {
    expectSchema(
      of: "@Entity",
      """
      @Column("power_hp", indexed: true) var power = 0
      @Column(unique: true, default: 7) var number = 0
      @Column("vin_sealed") @Encrypted var vin: String?
      @Column(nil) var plain = 0
      @Column(renamedFrom: "horses") var strength = 0
      @Column("due_on", renamedFrom: "due", dates: .integer) var due = Date()
      @Column(renamedFrom: nil) var note = ""
      @Column(check: "age >= 0", collation: nil) var age = 0
      @Column(collation: .noCase) var city = ""
      @Column("body", fullText: true) var text = ""
      """,
      #"""
      var schema = NacreCore.EntitySchemaBuilder(Car.self, name: "Car")
      schema.add("power", \Car.power, column: NacreCore.ColumnOptions(name: "power_hp", isIndexed: true))
      schema.add("number", \Car.number, column: NacreCore.ColumnOptions(isUnique: true, defaultValue: 7))
      schema.add("vin", \Car.vin, column: NacreCore.ColumnOptions(name: "vin_sealed"), sealed: NacreCore.SealedOptions())
      schema.add("plain", \Car.plain)
      schema.add("strength", \Car.strength, column: NacreCore.ColumnOptions(renamedFrom: "horses"))
      schema.add("due", \Car.due, column: NacreCore.ColumnOptions(name: "due_on", renamedFrom: "due", dates: .integer))
      schema.add("note", \Car.note)
      schema.add("age", \Car.age, column: NacreCore.ColumnOptions(check: "age >= 0"))
      schema.add("city", \Car.city, column: NacreCore.ColumnOptions(collation: .noCase))
      schema.add("text", \Car.text, column: NacreCore.ColumnOptions(name: "body", isFullText: true))
      """#
    )
  }

  @Test func `the arguments of Encrypted become options of the seal, as they are written`() {
    expectSchema(
      of: "@Entity",
      """
      @Encrypted(searchable: true, bits: 32, normalizer: .casefold) var plate: String?
      @Encrypted(unique: true) var vin = ""
      @Encrypted(searchable: false, bits: nil, normalizer: Normalizer.exact) var note = ""
      @Encrypted(searchable: true, acceptsLeakage: true) var color: Color?
      @Encrypted(hidesNil: true, padding: .padme, suite: .aes256GCM) var memo: String?
      @Encrypted(padding: Self.padding, suite: nil) var log = Data()
      @Column("p") @Encrypted(searchable: true, bits: width) var phone: String?
      @Encrypted() var pin = ""
      """,
      #"""
      var schema = NacreCore.EntitySchemaBuilder(Car.self, name: "Car")
      schema.add("plate", \Car.plate, sealed: NacreCore.SealedOptions(isSearchable: true, bits: 32, normalizer: .casefold))
      schema.add("vin", \Car.vin, sealed: NacreCore.SealedOptions(isUnique: true))
      schema.add("note", \Car.note, sealed: NacreCore.SealedOptions(isSearchable: false, bits: nil, normalizer: Normalizer.exact))
      schema.add("color", \Car.color, sealed: NacreCore.SealedOptions(isSearchable: true, acceptsLeakage: true))
      schema.add("memo", \Car.memo, sealed: NacreCore.SealedOptions(hidesNil: true, padding: .padme, suite: .aes256GCM))
      schema.add("log", \Car.log, sealed: NacreCore.SealedOptions(padding: Self.padding, suite: nil))
      schema.add("phone", \Car.phone, column: NacreCore.ColumnOptions(name: "p"), sealed: NacreCore.SealedOptions(isSearchable: true, bits: width))
      schema.add("pin", \Car.pin, sealed: NacreCore.SealedOptions())
      """#
    )
  }

  @Test func `the arguments of Relationship become options and the inverse`() {
    expectSchema(
      of: "@Entity",
      #"""
      @Relationship(delete: .deny) var engine: Engine?
      @Relationship(delete: .keep, removed: .delete) var wheels: [Wheel] = []
      @Relationship(inverse: \Seat.car) var seats: [Seat] = []
      @Relationship(removed: .delete, inverse: \Door.car) @Column("d") var doors: [Door] = []
      @Relationship(inverse: \Trip.car) var trips = Links<Trip>()
      @Relationship var radio: Radio?
      @Relationship(table: "car_tag") var tags = Links<Tag>()
      @Relationship(delete: .keep, table: "car_mat") var mats: [Mat] = []
      """#,
      #"""
      var schema = NacreCore.EntitySchemaBuilder(Car.self, name: "Car")
      schema.add("engine", \Car.engine, relationship: NacreCore.RelationshipOptions(delete: .deny))
      schema.add("wheels", \Car.wheels, relationship: NacreCore.RelationshipOptions(delete: .keep, removed: .delete))
      schema.add("seats", \Car.seats, inverse: \Seat.car)
      schema.add("doors", \Car.doors, column: NacreCore.ColumnOptions(name: "d"), relationship: NacreCore.RelationshipOptions(removed: .delete), inverse: \Door.car)
      schema.add("trips", \Car.trips, inverse: \Trip.car)
      schema.add("radio", \Car.radio)
      schema.add("tags", \Car.tags, relationship: NacreCore.RelationshipOptions(table: "car_tag"))
      schema.add("mats", \Car.mats, relationship: NacreCore.RelationshipOptions(delete: .keep, table: "car_mat"))
      schema.attach(\Car._engine, at: 0)
      schema.attach(\Car._wheels, at: 1)
      schema.attach(\Car._seats, at: 2)
      schema.attach(\Car._doors, at: 3)
      schema.attach(\Car._trips, at: 4)
      schema.attach(\Car._radio, at: 5)
      schema.attach(\Car._tags, at: 6)
      schema.attach(\Car._mats, at: 7)
      """#
    )
  }

  @Test func `a name in backticks keeps them in code and loses them in the schema`() {
    expectMembers(
      of: """
        @Entity final class `Type` {
          var `default`: Default?
        }
        """,
      #"""
      final class `Type` {
        var `default`: Default?

        @exclusivity(unchecked) var entityState = NacreCore.EntityState()

        @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

        init() {
        }

        init(row: NacreCore.RowReader) throws {
          _default = try row.read(at: 0)
          entityState = row.entityState()
        }

        deinit {
          NacreCore.GraphRelease.take(&_default)
        }

        func bindProperties(to row: NacreCore.RowBinder) throws {
          try row.bind(_default, at: 0)
        }

        func visitChildren(_ walk: NacreCore.GraphWalk) {
          walk.visit(_default, at: 0)
        }

        static let entitySchema: NacreCore.EntitySchema = {
          var schema = NacreCore.EntitySchemaBuilder(`Type`.self, name: "Type")
          schema.add("default", \`Type`.`default`)
          schema.attach(\`Type`._default, at: 0)
          return schema.build()
        }()
      }
      """#
    )
  }

  @Test(arguments: ["public", "package"])
  func `generated members are as accessible as the class`(access: String) {
    expectMembers(
      of: """
        @Entity \(access) final class Shelf {
          \(access) var row: Row?
          var walk: Walk?
        }
        """,
      """
      \(access) final class Shelf {
        \(access) var row: Row?
        var walk: Walk?

        @exclusivity(unchecked) \(access) var entityState = NacreCore.EntityState()

        @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

        \(access) init() {
        }

        \(access) init(row: NacreCore.RowReader) throws {
          _row = try row.read(at: 0)
          _walk = try row.read(at: 1)
          entityState = row.entityState()
        }

        deinit {
          NacreCore.GraphRelease.take(&_row)
          NacreCore.GraphRelease.take(&_walk)
        }

        \(access) func bindProperties(to row: NacreCore.RowBinder) throws {
          try row.bind(_row, at: 0)
          try row.bind(_walk, at: 1)
        }

        \(access) func visitChildren(_ walk: NacreCore.GraphWalk) {
          walk.visit(_row, at: 0)
          walk.visit(_walk, at: 1)
        }

        \(access) static let entitySchema: NacreCore.EntitySchema = {
          var schema = NacreCore.EntitySchemaBuilder(Shelf.self, name: "Shelf")
          schema.add("row", \\Shelf.row)
          schema.add("walk", \\Shelf.walk)
          schema.attach(\\Shelf._row, at: 0)
          schema.attach(\\Shelf._walk, at: 1)
          return schema.build()
        }()
      }
      """
    )
  }
}
