import Nacre

/// One car of the data set.
///
/// Its engine is a child, which is stored and deleted with it. Its owner is a link.
@Entity final class Car {
  var name = ""
  @Column(indexed: true) var year = 0
  var origin = Origin.usa
  /// nil where the data set does not say.
  var milesPerGallon: Double?
  /// Seconds from 0 to 60 miles per hour.
  var acceleration = 0.0
  /// In pounds.
  var weight = 0
  var engine: Engine?
  var owner: Link<Owner>?
}
