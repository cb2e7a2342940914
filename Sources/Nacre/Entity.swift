public import NacreCore

/// Makes a final class an entity: an object with a UUID, stored as one row together with its children.
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
/// Every stored instance `var` is a property of the entity, in the order of declaration, unless it is marked
/// ``Transient()``. The macro ignores computed and static properties. A property holds
/// - a value: `Bool`, any integer of up to 64 bits, `Float`, `Double`, `String`, `Data`, `Date`,
///   `UUID`, `URL`, `Decimal`, a type of your own that is `StorableValue`, an enum with raw values,
///   or any other `Codable` type, which is stored as JSON; or an optional of one of these,
/// - a child: an optional entity or an array of entities,
/// - a reference: `Link<E>?` or `Links<E>`.
///
/// Each property has a default value, because the store makes an object before it reads the row. The macro refuses
/// stored properties inside `#if`, because they have no fixed place in the schema, unless they are transient.
///
/// The macro writes the conformance to `Entity` and `ObservableEntity`: `entityState`, `init()` unless the class has
/// one, `init(row:)`, `bindProperties(to:)`, `visitChildren(_:)`, `entityVersion` if you give a version, and
/// `entitySchema`. These members are public if the class is public; a module that imports internally by default must
/// then say `public import Nacre`.
///
/// **Observing.** The class is `Observable`: a view, `withObservationTracking` and `Observations` see when code sets a
/// property, but not what the store does to an object by itself. For that the macro turns each stored property, say
/// `power`, into a computed one over a private `_power`, which keeps the default value and the observers. Fetching and
/// saving use `_power`, so observing costs them nothing. A read of `power` checks whether somebody tracks it. The macro
/// leaves transient properties as they are and does not observe them.
///
/// A property may have a `willSet` or a `didSet`, but not both. As with `@Observable`, an initialiser that assigns the
/// property calls it too, unless the assignment comes before `super.init()`.
///
/// A class that may have children gets a `deinit` that releases long chains of them one after another. If a class
/// declares its own `deinit` and owns objects of its own kind, end that `deinit` with `GraphRelease.take(&child)` for
/// each of those properties.
///
/// **Isolation.** An entity belongs to no actor: the store makes, reads and releases objects on threads of its own. In
/// a module that is isolated to the main actor by default (`defaultIsolation(MainActor.self)`), a class with `@Entity`
/// is still `nonisolated`, with its members and conformances, whether it says so or not. The same holds for a
/// `StorableValue` or a `Record` that names the protocol in its declaration. There, declare any other type that a
/// property stores as JSON `nonisolated`: `nonisolated struct Place: Codable`. The class itself can't be isolated to a
/// global actor.
///
/// - Parameters:
///   - table: The table's name, a string literal, or nil for the class's name.
///   - objectID: The version of UUID for new objects. Version 7 begins with the time at which the object was made, so
///     rows arrive in key order; choose `.v4` if that time must not show.
///   - version: The version of the entity's properties, an integer literal from 1 on; raise it if stored objects have
///     to change for the class.
///   - detectsConflicts: Whether a save or delete fails with code `conflict`, and writes nothing, if the object's row
///     has changed since it was loaded; `true` or `false`. Each row then has a version, which saves, `updateAll` and
///     imports raise. Changed lists of children and links are merged and do not count as a change of the row. It does
///     not detect changes by raw SQL, a DAO, or a class without this argument. Without it, a save writes only the
///     changed columns, even if others have changed meanwhile.
///   - tokenizer: How the full-text index of the properties with `@Column(fullText: true)` tells words apart.
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
  detectsConflicts: Bool = false,
  tokenizer: Tokenizer = .unicode61
) = #externalMacro(module: "NacreMacros", type: "EntityMacro")

/// Tracks and announces changes of one stored property.
///
/// ``Entity(table:objectID:version:detectsConflicts:tokenizer:)`` writes it; never write it by hand.
///
/// - Parameter index: The property's place in the schema.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro EntityProperty(_ index: Int) =
  #externalMacro(module: "NacreMacros", type: "EntityPropertyMacro")
