#if PostgreSQL
import NacreCore
@testable import TestSupport

extension Car {
  /// Makes cars with three wheels each, whose names are their numbers.
  static func numbered(_ count: Int) -> [Car] {
    (0..<count).map { number in
      let car = Car.create()
      car.name = "\(number)"
      car.wheels = (0..<3).map { _ in Wheel.create() }
      return car
    }
  }

  /// Makes a car with three wheels, and an owner who also drives it.
  static func graph(_ name: String) -> Car {
    let (car, owner) = (Car.create(), Person.create())
    (car.name, car.vin) = (name, "VIN \(name)")
    car.wheels = (1...3).map { size in
      let wheel = Wheel.create()
      wheel.size = size
      return wheel
    }
    (owner.code, owner.name) = (name, "owner of \(name)")
    car.owner = Link(owner)
    car.drivers.add(owner)
    return car
  }
}
#endif
