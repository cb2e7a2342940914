public import Foundation
import NacreStore

/// A final class that is stored as one row, with its children, under a UUID `objectID`.
///
/// `@Entity` writes the conformance. A conformance by hand is the same text: a schema, one method
/// that binds the stored properties, one initialiser that reads them, one that visits the children.
public protocol Entity: AnyObject, SendableMetatype {
  /// The entity's name, table, properties and relationships.
  static var entitySchema: EntitySchema { get }

  /// The object's identity and what has changed since it was stored.
  var entityState: EntityState { get set }

  /// The children that the object had before they were set; a class without children needs no such
  /// property.
  ///
  /// A class with to-many children, or with a to-one child that is deleted when it is taken out, stores it as it stores
  /// `entityState`, and each such property calls ``FormerChildren/note(_:at:_:)-([C],_,_)`` before it is set. Without it a
  /// save takes what is stored for what was loaded, and so takes out what others have added meanwhile.
  var entityChildren: FormerChildren { get set }

  /// The version of the class's properties; 1 unless it says otherwise. A class of a lower version than the stored one
  /// is refused.
  static var entityVersion: Int { get }

  /// Returns the statements to run in the table when its version changes; none unless the class
  /// says otherwise.
  ///
  /// Called once the table is made, with 0 as the former version, and once its version is raised and the columns of new
  /// properties are added, in the transaction that does so; the statements run in order. No entity can be used in it.
  ///
  /// - Parameters:
  ///   - old: the version that the store has; 0 when the table was just made.
  ///   - new: the class's version.
  /// - Returns: the statements to run.
  /// - Throws: what keeps the version from being raised; everything is taken back.
  static func migrate(from old: Int, to new: Int) throws -> [SQLStatement]

  /// Makes a new object that is not stored yet.
  init()

  /// Makes the object that `row` holds, without its children.
  ///
  /// - Throws: ``NacreError`` when a column holds what its property can't.
  init(row: RowReader) throws

  /// Binds every property that `row` asks for, each at its own index.
  ///
  /// - Throws: ``NacreError`` when a value can't be stored or sealed.
  func bindProperties(to row: RowBinder) throws

  /// Shows `walk` every child and link of the object.
  func visitChildren(_ walk: GraphWalk)

  /// Makes an object of each row; there is no need to write it, it is compiled once for each class.
  ///
  /// - Throws: ``NacreError`` when a column holds what its property can't.
  static func readObjects(from rows: RowStream) throws -> [Self]
}

extension Entity {
  /// Version 1.
  public static var entityVersion: Int { 1 }

  /// No statements.
  ///
  /// - Parameters:
  ///   - old: the version that the store has.
  ///   - new: the class's version.
  /// - Returns: none.
  /// - Throws: nothing.
  public static func migrate(from old: Int, to new: Int) throws -> [SQLStatement] { [] }

  /// The identifier under which the object is stored: a UUID of version 7, or 4 where `@Entity` says so.
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
  /// - Parameter objectID: the identifier; storing a second object under it is a constraint error.
  /// - Returns: the new object, which is not stored yet.
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

  /// Whether the object has a row, as far as this object knows.
  public var isStored: Bool { entityState.isStored }

  /// Whether the next `save()` has something to do with the object itself.
  ///
  /// It has where the object is new, has a property that was set since it was stored, has links with additions or removals
  /// that are not saved, or is marked for deletion. The changes of its children are their own.
  public var hasChanges: Bool {
    let state = entityState
    return !state.isStored || state.changes != 0 || state.isMarkedForDeletion
      || Self.entitySchema.hasPendingLinks(self)
  }
}
