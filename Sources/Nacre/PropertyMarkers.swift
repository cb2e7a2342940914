public import NacreCore

/// Seals a property of an entity before it reaches the file.
///
/// ```swift
/// @Encrypted var vin: String?
/// @Encrypted(searchable: true) var plate: String?
/// @Encrypted(unique: true, normalizer: .casefold) var email: String?
/// ```
/// The value is encrypted with AES-256-GCM and bound to its object, property, entity and store:
/// moved anywhere else, it does not open. An encrypted property holds a value, not a child or a
/// link; to keep an object secret, encrypt its properties. ``Column(_:unique:indexed:default:renamedFrom:dates:)``
/// can give it neither an index nor a default.
///
/// **nil** is stored as NULL, so that the file shows which rows have a value, unless `hidesNil`
/// seals it as well.
///
/// **What an index shows.** Every seal of one value is another ciphertext, so a sealed column can't
/// be searched. With `searchable` or `unique` a second column holds, for each value, the first
/// `bits` bits of a keyed hash: without the index key nobody computes one, or comes from it to the
/// value. But equal values have equal index values, in every row and every copy of the file.
/// Who reads the file can count them, and who knows how often values occur (names, cities, a
/// diagnosis) may guess which is which. `bits` trades this against speed: in a short index
/// different values share an index value, which blurs the count and gives each lookup candidates to
/// open and throw away, about one for each 2^`bits` other rows. With 16 bits and 100,000 rows that is
/// one or two a lookup, and a value that many rows share still stands out. A type of few values, a
/// `Bool` or an enum, has no such shelter and is indexed only with `acceptsLeakage`.
///
/// **What a length shows.** A sealed value is as long as the value, plus a constant. `padding` rounds
/// the length up, so that only the bucket shows: to the next power of two, at least 32 bytes
/// (`.bucketed`, up to twice the space), or by PADMÉ (`.padme`, at most 12 % more, with narrower
/// buckets). Integers, floating-point numbers and dates are all of one length without it.
///
/// - Parameters:
///   - searchable: whether objects can be fetched by the property's value. A literal, like
///     `unique`, `acceptsLeakage` and `hidesNil`.
///   - unique: whether no two objects may have the same value; nil is none. Such a property is
///     searchable, too, whatever `searchable` says.
///   - bits: the width of the index, 1 to 256 bits; nil is 16, and 128 where the property is unique.
///     A unique one has at least 64, for values that merely shared an index value would be refused
///     as equal.
///   - normalizer: how texts are made comparable before they are hashed, so that a lookup finds
///     `Ann` by `ANN` (`.casefold`), one spelling in Unicode by another (`.nfc`), or a telephone
///     number by its digits (`.digits`). The sealed value itself stays as it is. A unique property
///     compares in this way, too.
///   - acceptsLeakage: whether an index of a `Bool` or an enum, which shows each row's value to
///     whoever counts, is wanted all the same.
///   - hidesNil: whether nil is sealed as well, in a property that is optional and not unique. A
///     sealed nil is as short as an empty text: where values are longer, it takes `padding` to hide
///     which are nil. In an index nil is a value like any other.
///   - padding: how the length is hidden.
///   - suite: the cipher suite; nil is the store's. A suite seals under keys of its own, so a
///     store that has none for this one yet makes it when it is needed.
@attached(peer)
public macro Encrypted(
  searchable: Bool = false,
  unique: Bool = false,
  bits: Int? = nil,
  normalizer: Normalizer = .exact,
  acceptsLeakage: Bool = false,
  hidesNil: Bool = false,
  padding: Padding = .none,
  suite: Suite? = nil
) = #externalMacro(module: "NacreMacros", type: "PropertyMarkerMacro")

/// Keeps a stored property out of the entity: it is neither saved nor fetched, and may be of any
/// type.
///
/// It needs a default value, unless it is an optional `var`.
@attached(peer)
public macro Transient() = #externalMacro(module: "NacreMacros", type: "PropertyMarkerMacro")

/// Says how the column of a property is made.
///
/// - Parameters:
///   - name: the column's name, a string literal; nil is the property's name. SQLite ignores case,
///     so two names of one entity must differ in more than that, and none may be `objectID`.
///   - unique: whether no two objects may have the same value; `@Encrypted(unique: true)` is that of
///     a sealed property.
///   - indexed: whether the column has an index; `@Encrypted(searchable: true)` is that of a sealed
///     property.
///   - default: what rows get that were stored before the property existed, as it lies in the
///     column; nil is the property's own default.
///   - renamedFrom: the former name of the property or its column, a string literal: what is stored under it
///     becomes the property's.
///   - dates: what the column of a `Date` or `Date?` holds.
@attached(peer)
public macro Column(
  _ name: String? = nil,
  unique: Bool = false,
  indexed: Bool = false,
  default: Value? = nil,
  renamedFrom: String? = nil,
  dates: DateForm = .real
) = #externalMacro(module: "NacreMacros", type: "PropertyMarkerMacro")

/// Says how children hang on their parent, or by which link the far side of a relationship is
/// found.
///
/// ```swift
/// @Relationship(delete: .deny) var engine: Engine?
/// @Relationship(removed: .delete) var wheels: [Wheel] = []
/// @Relationship(inverse: \Seat.car) var seats: [Seat] = []       // `Seat` has `var car: Link<Car>?`
/// ```
///
/// - Parameters:
///   - delete: what becomes of the children when the parent is deleted with `cascade: true`.
///   - removed: what becomes of a child that was taken out of the property when the parent is
///     saved; a child that others have added meanwhile was not taken out.
///   - inverse: the child's own `Link` to the parent; to-many children or links with an inverse are
///     read from that link's column, and nothing is stored twice. Children keep the array's order by a
///     column beside it.
@attached(peer)
public macro Relationship(
  delete: DeleteRule = .cascade,
  removed: RemovalRule = .keep,
  inverse: AnyKeyPath? = nil
) = #externalMacro(module: "NacreMacros", type: "PropertyMarkerMacro")
