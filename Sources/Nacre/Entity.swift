public import NacreCore

/// Makes a final class an entity: an object with a UUID, kept as one row together with its
/// children.
///
/// ```swift
/// @Entity final class Car {
///   var name = ""                    // a column
///   @Encrypted var vin: String?      // a sealed column
///   @Encrypted(searchable: true) var plate: String?  // one that objects are fetched by
///   var engine: Engine?              // a child: an optional entity
///   var wheels: [Wheel] = []         // ordered children: an array of entities
///   var owner: Link<Person>?         // a reference to an object that is not owned
///   var drivers = Links<Person>()    // any number of references
///   @Transient var scratch = 0       // not stored
/// }
/// ```
/// Every stored instance `var` is a property of the entity, in the order of declaration, unless it
/// is marked ``Transient()``. Computed and static properties are passed over. A property holds
/// - a value: `Bool`, any integer of up to 64 bits, `Float`, `Double`, `String`, `Data`, `Date`,
///   `UUID`, `URL`, `Decimal`, a type of your own that is `StorableValue`, an enum with raw values,
///   or any other `Codable` type, which is stored as JSON; or an optional of one of these,
/// - a child: an optional entity or an array of entities,
/// - a reference: `Link<E>?` or `Links<E>`.
///
/// Each has a default value, for an object is made before its row is read. Stored properties inside
/// `#if` have no fixed place in the schema and are refused, unless they are transient.
///
/// The macro writes the conformance to `Entity` and `ObservableEntity`: `entityState`, `init()` unless the class
/// has one, `init(row:)`, `bindProperties(to:)`, `visitChildren(_:)`, `entityVersion` where a version
/// is given, and `entitySchema`, public where the class is public (a module that imports internally by
/// default then says `public import Nacre`).
///
/// **Observing.** The class is `Observable`: a view, `withObservationTracking` and `Observations` see
/// when a property is set, but not what the store does to an object by itself. For that each stored
/// property, say `power`, becomes a computed one over a private `_power`, which keeps the default
/// value and the observers. Fetching and saving use `_power`, so that observing costs them nothing; a read
/// of `power` looks whether somebody tracks it. Transient properties are left as they are and are not observed.
///
/// A property may have a `willSet` or a `didSet`. As with `@Observable`, it is also called when an initialiser
/// assigns the property, unless that comes before `super.init()`.
///
/// A class that may have children gets a `deinit` that releases long chains of them one after
/// another. A class that declares its own `deinit` and owns objects of its own kind should end it
/// with `GraphRelease.take(&child)` for each of those properties.
///
/// **Isolation.** An entity is nobody's: the store makes, reads and releases objects on threads of its own. In a module
/// that is the main actor's by default (`defaultIsolation(MainActor.self)`) a class with `@Entity` is `nonisolated` all
/// the same, with its members and conformances, whether it says so or not; and so is a `StorableValue` or a `Record` that
/// names the protocol where it is declared. Any other type that a property stores as JSON is declared `nonisolated` there:
/// `nonisolated struct Place: Codable`. The class itself can't be an actor's.
///
/// - Parameters:
///   - table: the table's name, a string literal; nil is the class's name.
///   - objectID: the version of UUID that new objects get. Version 7 begins with the time at which
///     the object was made, so that rows arrive in key order; choose `.v4` where that time must not
///     show.
///   - version: the version of the entity's properties, an integer literal from 1 on; raise it when stored
///     objects have to be changed for the class.
///   - detectsConflicts: whether a save or delete fails with code `conflict`, and writes nothing, where the
///     object's row was changed since it was loaded; `true` or `false`. Each row then has a version, which saves,
///     `updateAll` and imports raise. Changed lists of children and links are merged and are no change of
///     the row. What raw SQL, a DAO, or a class without this argument changes is not seen. Without it, a save
///     writes the changed columns alone, whatever became of the others.
@attached(
  member,
  names: named(entityState),
  named(entityObservation),
  named(entityChildren),
  named(init()),
  named(init(row:)),
  named(deinit),
  named(bindProperties(to:)),
  named(visitChildren(_:)),
  named(entityVersion),
  named(entitySchema)
)
@attached(memberAttribute)
@attached(extension, conformances: NacreCore.Entity, NacreCore.ObservableEntity)
public macro Entity(
  table: String? = nil,
  objectID: IdentifierVersion = .v7,
  version: Int = 1,
  detectsConflicts: Bool = false
) = #externalMacro(module: "NacreMacros", type: "EntityMacro")

/// Tracks and announces changes of one stored property; written by
/// ``Entity(table:objectID:version:detectsConflicts:)``, never by hand.
///
/// - Parameter index: the property's place in the schema.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro EntityProperty(_ index: Int) =
  #externalMacro(module: "NacreMacros", type: "EntityPropertyMacro")
