public import NacreCore

/// Seals a property of an entity before it reaches the file.
///
/// ```swift
/// @Encrypted var vin: String?
/// @Encrypted(searchable: true) var plate: String?
/// @Encrypted(unique: true, normalizer: .casefold) var email: String?
/// ```
/// The value is encrypted with AES-256-GCM and bound to its object, property, entity and store, so it does not open in
/// any other place. An encrypted property holds a value, not a child or a link; to keep an object secret, encrypt its
/// properties. ``Column(_:unique:indexed:default:renamedFrom:dates:)`` can give it neither an index nor a default.
///
/// **nil** is stored as NULL, so the file shows which rows have a value, unless `hidesNil` seals nil as well.
///
/// **What an index shows.** Each seal of the same value gives another ciphertext, so nobody can search a sealed column.
/// With `searchable` or `unique` a second column holds, for each value, the first `bits` bits of a keyed hash. Without
/// the index key nobody can compute one, or get from it to the value. But equal values have equal index values, in
/// every row and every copy of the file. Anyone who reads the file can count them. Anyone who also knows how often
/// values occur (names, cities, a diagnosis) may guess which is which. `bits` trades this against speed. In a short
/// index different values share an index value. That blurs the count, but gives each lookup candidates to open and
/// throw away, about one for each 2^`bits` other rows. With 16 bits and 100,000 rows that is one or two a lookup, and a
/// value that many rows share still stands out. A type of few values, a `Bool` or an enum, has no such protection, so
/// it gets an index only with `acceptsLeakage`.
///
/// **What a length shows.** A sealed value is as long as the value, plus a constant. `padding` rounds the length up, so
/// that only the bucket shows: to the next power of two, at least 32 bytes (`.bucketed`, up to twice the space), or by
/// PADMÉ (`.padme`, at most 12 % more, with narrower buckets). Integers, floating-point numbers and dates all have the
/// same length without it.
///
/// - Parameters:
///   - searchable: Whether objects can be fetched by the property's value. Must be a literal, like `unique`,
///     `acceptsLeakage` and `hidesNil`.
///   - unique: Whether no two objects may have the same value; nil does not count as a value. Such a property is
///     searchable, too, whatever `searchable` says.
///   - bits: The width of the index, 1 to 256 bits; nil means 16, or 128 for a unique property. A unique property needs
///     at least 64, because different values with the same index value would be refused as equal.
///   - normalizer: How texts are normalized before they are hashed. A lookup then finds `Ann` by `ANN` (`.casefold`),
///     one spelling in Unicode by another (`.nfc`), or a telephone number by its digits (`.digits`). The sealed value
///     itself stays as it is. A unique property compares normalized texts, too.
///   - acceptsLeakage: Whether to allow an index of a `Bool` or an enum although it shows each row's value to anyone
///     who counts.
///   - hidesNil: Whether nil is sealed as well, in a property that is optional and not unique. A sealed nil is as short
///     as an empty text; if values are longer, use `padding` to hide which ones are nil. In an index nil is a value
///     like any other.
///   - padding: How the length is hidden.
///   - suite: The cipher suite, or nil for the store's. Each suite seals under keys of its own; if the store has no key
///     for this one yet, it makes one when it needs it.
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

/// Keeps a stored property out of the entity: the store neither saves nor fetches it, and it may be of any type.
///
/// The property needs a default value, unless it is an optional `var`.
@attached(peer)
public macro Transient() = #externalMacro(module: "NacreMacros", type: "PropertyMarkerMacro")

/// Sets how the column of a property is made.
///
/// - Parameters:
///   - name: The column's name, a string literal, or nil for the property's name. SQLite ignores case, so two names of
///     one entity must differ in more than case, and no name may be `objectID`.
///   - unique: Whether no two objects may have the same value; for a sealed property use `@Encrypted(unique: true)`.
///   - indexed: Whether the column has an index; for a sealed property use `@Encrypted(searchable: true)`.
///   - default: The value, in the form of the column, for rows that were stored before the property existed; nil means
///     the property's own default.
///   - renamedFrom: The former name of the property or its column, a string literal; the property takes over the values
///     stored under it.
///   - dates: The form in which the column stores a `Date` or `Date?`.
///   - check: A condition in SQL that every row must fulfil, such as `"age >= 0"`; not for a sealed property.
///   - collation: The rule by which SQL compares the column's texts; not for a sealed property.
///   - fullText: Whether `search` finds objects by the words of the property, which holds text and is not sealed. The
///     class's full-text index keeps the text a second time, beside its words.
@attached(peer)
public macro Column(
  _ name: String? = nil,
  unique: Bool = false,
  indexed: Bool = false,
  default: Value? = nil,
  renamedFrom: String? = nil,
  dates: DateForm = .real,
  check: String? = nil,
  collation: ColumnCollation? = nil,
  fullText: Bool = false
) = #externalMacro(module: "NacreMacros", type: "PropertyMarkerMacro")

/// Sets the rules for children, or the link by which the far side of a relationship is found.
///
/// ```swift
/// @Relationship(delete: .deny) var engine: Engine?
/// @Relationship(removed: .delete) var wheels: [Wheel] = []
/// @Relationship(inverse: \Seat.car) var seats: [Seat] = []       // `Seat` has `var car: Link<Car>?`
/// @Relationship(inverse: \Person.cars) var drivers = Links<Person>()  // both sides link to many
/// @Relationship(table: "car_tag") var tags = Links<Tag>()
/// ```
///
/// - Parameters:
///   - delete: What happens to the children when the parent is deleted with `cascade: true`.
///   - removed: What a save of the parent does to a child that was taken out of the property. A child that others have
///     added meanwhile was not taken out.
///   - inverse: The child's own `Link` to the parent. To-many children or links with an inverse are read from that
///     link's column, and nothing is stored twice. A column beside it keeps the children in the array's order. If the
///     inverse is `Links`, too, both sides read and write that side's table. Only one of the two names the other.
///   - table: The name of the table that stores a to-many relationship, a string literal; nil for `Class_property`. A
///     property that gets a name, or another one, takes its table along.
@attached(peer)
public macro Relationship(
  delete: DeleteRule = .cascade,
  removed: RemovalRule = .keep,
  inverse: AnyKeyPath? = nil,
  table: String? = nil
) = #externalMacro(module: "NacreMacros", type: "PropertyMarkerMacro")
