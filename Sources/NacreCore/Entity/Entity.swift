public import Foundation
import NacreEngine
import NacreStore

/// A final class whose objects are stored as one row each, with their children, under a UUID
/// `objectID`.
///
/// `@Entity` writes the conformance. A conformance by hand has the same parts: a schema, a method
/// that binds the stored properties, an initialiser that reads them, and a method that visits the
/// children.
public protocol Entity: AnyObject, SendableMetatype {
  /// The entity's name, table, properties and relationships.
  static var entitySchema: EntitySchema { get }

  /// The object's identity and what has changed since it was stored.
  var entityState: EntityState { get set }

  /// The children that the object had before they were set.
  ///
  /// A class without children does not need this property. A class needs it if it has to-many
  /// children, or a to-one child that is deleted when it is taken out. Such a class declares a
  /// stored property, as it does for `entityState`, and calls
  /// ``FormerChildren/note(_:at:_:)-([C],_,_)`` before each of these properties is set.
  ///
  /// Without it, a save assumes that the object was loaded with the children that are stored now.
  /// So the save takes out the children that others have added meanwhile.
  var entityChildren: FormerChildren { get set }

  /// The version of the class's properties; 1 by default.
  ///
  /// The store refuses a class whose version is lower than the stored one.
  static var entityVersion: Int { get }

  /// Returns the statements to run in the table when its version changes; none by default.
  ///
  /// Nacre calls the method after it has made the table, with 0 as the former version. It also
  /// calls the method after it has raised the version and added the columns of new properties.
  /// Either happens in one transaction with the statements, which run in order. The method can't
  /// use entities; an INSERT into the class's own table need not name the `objectID`.
  ///
  /// - Parameters:
  ///   - old: The version that the store has; 0 if the table was just made.
  ///   - new: The class's version.
  /// - Returns: The statements to run.
  /// - Throws: Any error, to keep the version from being raised; the transaction is then rolled
  ///   back.
  static func migrate(from old: Int, to new: Int) throws -> [SQLStatement]

  /// Makes a new object that is not stored yet.
  init()

  /// Makes the object that `row` holds, without its children.
  ///
  /// - Throws: ``NacreError`` if a column holds a value that its property can't hold.
  init(row: RowReader) throws

  /// Binds every property that `row` asks for, each at its own index.
  ///
  /// - Throws: ``NacreError`` when a value can't be stored or sealed.
  func bindProperties(to row: RowBinder) throws

  /// Shows `walk` every child and link of the object.
  func visitChildren(_ walk: GraphWalk)

  /// Makes an object of each row.
  ///
  /// A class need not implement it: the default implementation is compiled once for each class.
  ///
  /// - Throws: ``NacreError`` if a column holds a value that its property can't hold.
  static func readObjects(from rows: RowStream) throws -> [Self]
}

extension Entity {
  /// Version 1.
  public static var entityVersion: Int { 1 }

  /// No statements.
  ///
  /// - Parameters:
  ///   - old: The version that the store has.
  ///   - new: The class's version.
  /// - Returns: No statements.
  /// - Throws: Nothing.
  public static func migrate(from old: Int, to new: Int) throws -> [SQLStatement] { [] }

  /// The identifier under which the object is stored: a UUID of version 7, or of version 4 if
  /// `@Entity` asks for it.
  public var objectID: UUID {
    if !entityState.hasIdentity { entityState.assignIdentity(Self.entitySchema.identifiers) }
    return entityState.identity.uuid
  }

  /// Makes a new object with an `objectID`; `save()` stores it.
  public static func create() -> Self {
    let object = Self()
    object.entityState.assignIdentity(entitySchema.identifiers)
    return object
  }

  /// Makes a new object under an identifier that the caller chose.
  ///
  /// - Parameter objectID: The identifier. Storing a second object under it is a constraint error.
  ///   The UUID of all zeros stands for none, and the object gets one of its own.
  /// - Returns: The new object, which is not stored yet.
  public static func create(objectID: UUID) -> Self {
    let object = Self()
    object.entityState.identity = ObjectID(objectID)
    return object
  }

  /// Whether the next `save()` deletes the object instead of storing it.
  public var isMarkedForDeletion: Bool {
    get { entityState.isMarkedForDeletion }
    set { entityState.isMarkedForDeletion = newValue }
  }

  /// Whether the object has a row in a store, as far as the object knows.
  public var isStored: Bool { entityState.isStored }

  /// Whether the next `save()` has something to do with the object itself.
  ///
  /// It does if the object is new, if a property was set since the object was stored, if its links
  /// have unsaved additions or removals, or if it is marked for deletion. Changes in its children
  /// don't count.
  public var hasChanges: Bool {
    let state = entityState
    return !state.isStored || state.changes != 0 || state.isMarkedForDeletion
      || Self.entitySchema.hasPendingLinks(self)
  }
}
