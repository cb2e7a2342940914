import Nacre

/// A maker of cars, which owns its cars: they are stored, loaded and deleted with it.
@Entity final class Manufacturer {
  @Column(unique: true) var name = ""
  var cars: [Car] = []
}
