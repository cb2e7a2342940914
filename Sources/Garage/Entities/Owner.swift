import Nacre

/// Who owns a car.
///
/// Nothing of an owner but the identifier lies in the file in the clear; of a plate, there is a blind index.
@Entity final class Owner {
  @Encrypted var name = ""
  @Encrypted var email = ""
  @Encrypted(searchable: true) var plate = ""
}
