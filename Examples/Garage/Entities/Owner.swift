import Nacre

/// The owner of a car.
///
/// Inside of the sealed file, and on a server, only the owner's identifier is plain, beside a blind index of the plate.
@Entity final class Owner {
  @Encrypted var name = ""
  @Encrypted var email = ""
  @Encrypted(searchable: true) var plate = ""
}
