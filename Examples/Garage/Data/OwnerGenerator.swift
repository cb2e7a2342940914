import Nacre

/// Makes up owners.
///
/// None of them exists, and `example.org` is reserved for such addresses (RFC 2606).
struct OwnerGenerator {
  /// The year in which the data set was first shown to an audience.
  static let seed: UInt64 = 1983

  private var generator = SeededGenerator(seed: seed)

  private static let givenNames = [
    "Ada", "Alan", "Barbara", "Claude", "Dorothy", "Edsger", "Emmy", "Frances", "Grace", "Hedy",
    "Jean", "Joan", "John", "Kathleen", "Leslie", "Margaret", "Niklaus", "Radia", "Sophie", "Tony",
  ]
  private static let familyNames = [
    "Adler", "Baker", "Carter", "Dyer", "Ellis", "Fisher", "Gardner", "Harper", "Ibsen", "Joiner",
    "Keller", "Lindqvist", "Mason", "Novak", "Olsen", "Porter", "Quist", "Roper", "Smith", "Tanner",
    "Underwood", "Vogel", "Weaver", "Young", "Zimmer",
  ]
  /// Without vowels, so that no plate spells a word.
  private static let letters = Array("BCDFGHJKLMNPRSTVWXZ")

  /// The next owner, not stored yet.
  mutating func next() -> Owner {
    let (given, family) = (generator.pick(Self.givenNames), generator.pick(Self.familyNames))
    let owner = Owner.create()
    owner.name = "\(given) \(family)"
    owner.email = "\(given).\(family)\(10 + generator.number(below: 90))@example.org".lowercased()
    owner.plate = plate()
    return owner
  }

  private mutating func plate() -> String {
    let head = String([generator.pick(Self.letters), generator.pick(Self.letters)])
    return "\(head)-\(100 + generator.number(below: 900))-\(generator.pick(Self.letters))"
  }
}
