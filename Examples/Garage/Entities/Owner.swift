import Nacre

/// The owner of a car.
///
/// The file holds only the owner's identifier in the clear, and a blind index of the plate.
@Entity final class Owner {
  @Encrypted var name = ""
  @Encrypted var email = ""
  @Encrypted(searchable: true) var plate = ""
}
