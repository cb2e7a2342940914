import Testing

struct EntityPropertyTests {
  @Test
  func `a property with a didSet of its own is tracked by a willSet, and the other way round`() {
    expectExpansion(
      """
      final class Car {
        @EntityProperty(2) var name = "" {
          didSet { print(name) }
        }
        @EntityProperty(3) var color = "" {
          willSet { print(newValue) }
        }
      }
      """,
      """
      final class Car {
        var name = "" {
          didSet { print(name) }
          willSet {
            entityState.markChanged(2)
          }
        }
        var color = "" {
          willSet { print(newValue) }
          didSet {
            entityState.markChanged(3)
          }
        }
      }
      """
    )
  }

  @Test func `the index of a property counts only the stored ones before it`() {
    expectAttributes(
      """
      @Entity final class Car {
        static var count = 0
        var a = 0
        var b: Int { a }
        @Transient var c = 0
        var `d` = 0
        func e() {}
        var f = 0
      }
      """,
      """
      final class Car {
        static var count = 0
        @Nacre.EntityProperty(0)
        var a = 0
        var b: Int { a }
        @Transient var c = 0
        @Nacre.EntityProperty(1)
        var `d` = 0
        func e() {}
        @Nacre.EntityProperty(2)
        var f = 0
      }
      """
    )
  }

  @Test func `a declaration that is no entity is left alone`() {
    expectAttributes(
      """
      @Entity class Car {
        var a = 0
      }
      """,
      """
      class Car {
        var a = 0
      }
      """
    )
  }
}
