import NacreEngine
import NacreStore

/// A reader of an object's properties in the current row of a statement.
///
/// Column `base` is the objectID and column `base + 1 + i` is property i. A property without a
/// column (to-many children) has NULL in its place.
public final class RowReader {
  @usableFromInline let statement: any EngineStatement
  @usableFromInline let base: Int32
  /// The number of the store that the row comes from.
  @usableFromInline let store: UInt32
  private let schema: EntitySchema
  private let sealing: FieldSealing
  /// The identity of the current row's object.
  // Unchecked, because one thread sets it between rows and reads it within one; a check at each row
  // would be measurable.
  @exclusivity(unchecked) @usableFromInline var identity = ObjectID(high: 0, low: 0)
  /// The column of the row's version, after the properties; 0 if the class does not detect
  /// conflicts.
  private let versionColumn: Int32
  /// The version of the current row; 0 if the class does not detect conflicts.
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

  /// Goes on to the current row of the statement, whose identity the caller has read.
  func next(_ identity: ObjectID) throws {
    self.identity = identity
    if versionColumn != 0 { try readVersion() }
  }

  @inline(never)
  private func readVersion() throws {
    do {
      version = try Int64.read(from: statement, at: versionColumn)
    } catch {
      throw NacreError.wrap(error, at: schema, property: nil, identity: identity)
    }
  }

  /// Returns the state of an object that matches its row.
  @inlinable
  public func entityState() -> EntityState {
    var state = EntityState()
    state.identity = identity
    state.store = store
    state.isStored = true
    state.version = version
    return state
  }

  /// Returns the column of the property at `index`.
  @inlinable
  package func column(_ index: Int) -> Int32 {
    base &+ 1 &+ Int32(truncatingIfNeeded: index)
  }

  /// Maps an error at a property to `NacreError` and adds the property and the object.
  @inline(never)
  @usableFromInline
  func failure(_ error: any Error, _ index: Int) -> any Error {
    NacreError.wrap(error, at: schema, property: index, identity: identity)
  }

  /// Reads a plain property.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` if the column holds a value of another form.
  @inlinable
  public func read<V: StorableValue>(at index: Int) throws -> V {
    do {
      return try V.read(from: statement, at: column(index))
    } catch {
      throw failure(error, index)
    }
  }

  /// Opens a sealed property; NULL becomes nil.
  ///
  /// - Throws: ``NacreError`` if the envelope does not open or holds a value of another form.
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
    // Few cells are NULL, so the envelope is asked for first.
    if let sealed = statement.bytes(at: column) {
      return try sealing.open(sealed, property: index, identity: identity)
    }
    if statement.isNull(at: column) { return .null }
    throw NacreError(.notAnEnvelope)
  }
}

// MARK: - Children and links

extension RowReader {
  /// Returns nil: the child is attached once it is loaded.
  ///
  /// It is declared to throw, because `@Entity` writes the same call for every property.
  @inlinable
  public func read<C: Entity>(at index: Int) throws -> C? { nil }

  /// Returns no children: they are attached once they are loaded.
  @inlinable
  public func read<C: Entity>(at index: Int) throws -> [C] { [] }

  /// Reads the objectID that a link holds; the object is loaded on request.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the column holds no objectID.
  public func read<T: Entity>(at index: Int) throws -> Link<T>? {
    do {
      return try target(at: index).map { Link(identity: $0, store: store) }
    } catch {
      throw failure(error, index)
    }
  }

  /// Makes to-many links that know their owner; their elements are loaded on request.
  public func read<T: Entity>(at index: Int) throws -> Links<T> {
    let links = Links<T>()
    links.belong(to: identity, store, schema, index)
    return links
  }

  /// Returns the objectID in the column of a child or link, or nil if the column is NULL.
  func target(at index: Int) throws -> ObjectID? {
    let column = column(index)
    if statement.isNull(at: column) { return nil }
    return try ObjectID.read(from: statement, at: column)
  }
}
