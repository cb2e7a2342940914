public import NacreCore

/// Seals a property of an entity before it reaches the file.
///
/// The value is encrypted with AES-256-GCM under the store's primary key and bound to its object,
/// property, entity and store: moved anywhere else, it does not open. nil is stored as NULL.
///
/// An encrypted property holds a value, not a child or a link; to keep an object secret, encrypt
/// its properties. Its column can be neither unique nor indexed nor have a default.
@attached(peer)
public macro Encrypted() = #externalMacro(module: "NacreMacros", type: "PropertyMarkerMacro")

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
///   - unique: whether no two objects may have the same value.
///   - indexed: whether the column has an index.
///   - default: what rows get that were stored before the property existed, as it lies in the
///     column; nil is the property's own default.
@attached(peer)
public macro Column(
  _ name: String? = nil,
  unique: Bool = false,
  indexed: Bool = false,
  default: Value? = nil
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
///     saved.
///   - inverse: the child's own `Link` to the parent; to-many children or links with an inverse are
///     read from that link's column, and nothing is stored twice.
@attached(peer)
public macro Relationship(
  delete: DeleteRule = .cascade,
  removed: RemovalRule = .keep,
  inverse: AnyKeyPath? = nil
) = #externalMacro(module: "NacreMacros", type: "PropertyMarkerMacro")
