import Nacre

/// Who owns a car.
///
/// Nothing of an owner but the identifier lies in the file in the clear.
@Entity final class Owner {
  @Encrypted var name = ""
  @Encrypted var email = ""
  @Encrypted var plate = ""
}
