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
/// The macro writes the conformance to `NacreCore.Entity`: `entityState`, `init()` unless the class
/// has one, `init(row:)`, `bindProperties(to:)`, `visitChildren(_:)` and `entitySchema`, public
/// where the class is public (a module that imports internally by default then says `public import
/// Nacre`). Each stored property gets a `didSet` that tracks changes, or a `willSet` where it has a
/// `didSet` of its own. Assignments inside an initialiser are not observed and need not be: a new
/// object is written whole.
///
/// A class that may have children gets a `deinit` that releases long chains of them one after
/// another. A class that declares its own `deinit` and owns objects of its own kind should end it
/// with `GraphRelease.take(&child)` for each of those properties.
///
/// - Parameters:
///   - table: the table's name, a string literal; nil is the class's name.
///   - objectID: the version of UUID that new objects get. Version 7 begins with the time at which
///     the object was made, so that rows arrive in key order; choose `.v4` where that time must not
///     show.
@attached(
  member,
  names: named(entityState),
  named(init()),
  named(init(row:)),
  named(deinit),
  named(bindProperties(to:)),
  named(visitChildren(_:)),
  named(entitySchema)
)
@attached(memberAttribute)
@attached(extension, conformances: NacreCore.Entity)
public macro Entity(table: String? = nil, objectID: IdentifierVersion = .v7) =
  #externalMacro(module: "NacreMacros", type: "EntityMacro")

/// Tracks changes of one stored property; written by ``Entity(table:objectID:)``, never by hand.
///
/// - Parameter index: the property's place in the schema.
@attached(accessor, names: named(willSet), named(didSet))
public macro EntityProperty(_ index: Int) =
  #externalMacro(module: "NacreMacros", type: "EntityPropertyMacro")
