import Nacre

/// The engine of one car.
@Entity final class Engine {
  var cylinders = 0
  /// In cubic inches.
  var displacement = 0.0
  /// nil where the data set does not say.
  var horsepower: Int?
}
