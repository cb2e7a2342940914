import Nacre

extension DefaultStoreTests.Tour {
  // tour: entities
  @Entity final class Car {
    var name = ""
    var power = 0
    var color: String?
    @Encrypted var vin: String?  // sealed, each value bound to this row and property
    var engine: Engine?  // a child: saved, loaded and deleted with the car
    @Relationship(removed: .delete) var wheels: [Wheel] = []  // children, in order
    var owner: Link<Person>?  // a reference, loaded when it is asked for
    var drivers = Links<Person>()  // any number of them, read by query, page or cursor
    @Transient var isDirty = false  // not stored
  }

  @Entity final class Engine {
    var cylinders = 4
  }

  @Entity final class Wheel {
    var inches = 17
  }

  @Entity final class Person {
    @Column(unique: true) var handle = ""
    @Encrypted var email = ""
    @Relationship(inverse: \Car.drivers) var cars = Links<Car>()  // the other side of drivers
  }
  // end
}
