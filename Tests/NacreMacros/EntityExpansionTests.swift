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
        var name = "" {
          didSet {
            entityState.markChanged(0)
          }
        }
        var color: String? {
          didSet {
            entityState.markChanged(1)
          }
        }

        var entityState = NacreCore.EntityState()

        init() {
        }

        init(row: NacreCore.RowReader) throws {
          try row.read(&name, at: 0)
          try row.read(&color, at: 1)
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
      """)
  }
}
