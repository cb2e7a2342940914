import NacreStore

/// Gives an object its properties from the current row of a statement.
///
/// Column `base` is the objectID and column `base + 1 + i` is property i; where a property has no column
/// (to-many children) the row holds NULL in its place.
public final class RowReader {
  @usableFromInline let statement: any EngineStatement
  @usableFromInline let base: Int32
  /// The number of the store that the row comes from.
  @usableFromInline let store: UInt32
  private let schema: EntitySchema
  private let sealing: FieldSealing
  /// The identity of the current row's object.
  // Unchecked, for it is set between rows and read within one, by one thread: a check at each row would show.
  @exclusivity(unchecked) @usableFromInline var identity = ObjectID(high: 0, low: 0)
  /// The column of the row's version, behind the properties; 0 where the class does not detect conflicts.
  private let versionColumn: Int32
  /// The version of the current row; 0 where the class does not detect conflicts.
  // Unchecked for the same reason.
  @exclusivity(unchecked) @usableFromInline var version: Int64 = 0

  init(
    statement: any EngineStatement,
    base: Int32,
    schema: EntitySchema,
    store: UInt32,
    sealing: FieldSealing
  ) {
    self.statement = statement
    self.base = base
    self.schema = schema
    self.store = store
    self.sealing = sealing
    versionColumn = schema.detectsConflicts ? base &+ schema.rowColumnCount &- 1 : 0
  }

  /// Goes on to the current row of the statement and reads its identity.
  @discardableResult
  func next() throws -> ObjectID {
    do {
      identity = try ObjectID.read(from: statement, at: base)
    } catch {
      throw NacreError.wrap(error, at: schema, property: nil, identity: nil)
    }
    if versionColumn != 0 { try readVersion() }
    return identity
  }

  @inline(never)
  private func readVersion() throws {
    do {
      version = try Int64.read(from: statement, at: versionColumn)
    } catch {
      throw NacreError.wrap(error, at: schema, property: nil, identity: identity)
    }
  }

  /// The state of an object that is as it is stored.
  @inlinable
  public func entityState() -> EntityState {
    var state = EntityState()
    state.identity = identity
    state.store = store
    state.isStored = true
    state.version = version
    return state
  }

  /// The column of the property at `index`.
  @inlinable
  package func column(_ index: Int) -> Int32 {
    base &+ 1 &+ Int32(truncatingIfNeeded: index)
  }

  /// The public face of an error at a property.
  @inline(never)
  @usableFromInline
  func failure(_ error: any Error, _ index: Int) -> any Error {
    NacreError.wrap(error, at: schema, property: index, identity: identity)
  }

  /// Reads a plain property.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the column holds something else.
  @inlinable
  public func read<V: StorableValue>(at index: Int) throws -> V {
    do {
      return try V.read(from: statement, at: column(index))
    } catch {
      throw failure(error, index)
    }
  }

  /// Opens a sealed property; NULL is nil.
  ///
  /// - Throws: ``NacreError`` when the envelope does not open or holds something else.
  @inlinable
  public func open<V: StorableValue>(at index: Int) throws -> V {
    do {
      return try V(storedValue: openStored(at: index))
    } catch {
      throw failure(error, index)
    }
  }

  @usableFromInline
  func openStored(at index: Int) throws -> Value {
    let column = column(index)
    if statement.isNull(at: column) { return .null }
    return try sealing.open(statement, at: column, property: index, identity: identity)
  }
}

// MARK: - Children and links

extension RowReader {
  /// No child yet: children are attached once they are loaded.
  ///
  /// It throws like its siblings, for `@Entity` calls them all alike.
  @inlinable
  public func read<C: Entity>(at index: Int) throws -> C? { nil }

  /// No children yet: they are attached once they are loaded.
  @inlinable
  public func read<C: Entity>(at index: Int) throws -> [C] { [] }

  /// Reads the objectID that a link holds; the object is loaded when it is asked for.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the column holds no objectID.
  public func read<T: Entity>(at index: Int) throws -> Link<T>? {
    do {
      return try target(at: index).map { Link(identity: $0, store: store) }
    } catch {
      throw failure(error, index)
    }
  }

  /// To-many links that know whose they are; their elements are loaded when asked for.
  public func read<T: Entity>(at index: Int) throws -> Links<T> {
    let links = Links<T>()
    links.belong(to: identity, store, schema, index)
    return links
  }

  /// The objectID in the column of a child or link, or nil.
  func target(at index: Int) throws -> ObjectID? {
    let column = column(index)
    if statement.isNull(at: column) { return nil }
    return try ObjectID.read(from: statement, at: column)
  }
}
