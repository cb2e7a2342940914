import NacreCore
import NacreEngine
import NacreStore

// These functions declare a record's columns. The property's type decides its stored form; see
// StoredForms.swift.

extension RecordColumn {
  /// Declares the primary key: an integer that the database generates for a record without one.
  ///
  /// The database never generates a key twice.
  ///
  /// - Parameters:
  ///   - path: an optional integer, nil until the record is inserted.
  ///   - name: the column's name; nil uses the property's name.
  /// - Returns: the column.
  @inlinable
  public static func key(_ path: WritableKeyPath<R, Int64?>, _ name: String? = nil) -> RecordColumn
  {
    make(path, .generatedKey, ColumnOptions(name: name), nil, nil, { $0 }, { $0 })
  }

  /// Declares the primary key: an integer that the database generates for a record without one.
  ///
  /// The database never generates a key twice.
  @inlinable
  public static func key(_ path: WritableKeyPath<R, Int?>, _ name: String? = nil) -> RecordColumn {
    make(path, .generatedKey, ColumnOptions(name: name), nil, nil, { $0 }, { $0 })
  }

  /// Declares the primary key, which the application sets; several such columns form one key
  /// together.
  ///
  /// - Parameters:
  ///   - path: the property, such as a text, a UUID or an integer.
  ///   - name: the column's name; nil uses the property's name.
  /// - Returns: the column.
  @_disfavoredOverload
  @inlinable
  public static func key<V: StorableValue>(
    _ path: WritableKeyPath<R, V>,
    _ name: String? = nil
  ) -> RecordColumn {
    make(path, .key, ColumnOptions(name: name), nil, nil, { $0 }, { $0 })
  }

  /// Declares the column of a property whose type is ``StorableValue``.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - name: the column's name; nil uses the property's name.
  ///   - preset: the value that is stored if the property is nil, and in rows that are older than
  ///     the column.
  ///   - unique: whether no two records may have the same value.
  ///   - indexed: whether the column has an index.
  ///   - check: a condition in SQL that every row must fulfil, such as `age >= 0`; not for a sealed
  ///     column.
  ///   - collation: the rule by which SQL compares the column's texts; not for a sealed column.
  ///   - sealed: how the values are sealed; nil stores them as they are.
  /// - Returns: the column.
  @inlinable
  public static func column<V: StorableValue>(
    _ path: WritableKeyPath<R, V>,
    _ name: String? = nil,
    default preset: V? = nil,
    unique: Bool = false,
    indexed: Bool = false,
    check: String? = nil,
    collation: ColumnCollation? = nil,
    sealed: SealedOptions? = nil
  ) -> RecordColumn {
    let column = ColumnOptions(
      name: name,
      isUnique: unique,
      isIndexed: indexed,
      check: check,
      collation: collation
    )
    return make(path, .value, column, sealed, preset, { $0 }, { $0 })
  }

  /// Declares the column of an enum, stored by its raw value.
  @_disfavoredOverload
  @inlinable
  public static func column<V: RawRepresentable>(
    _ path: WritableKeyPath<R, V>,
    _ name: String? = nil,
    default preset: V? = nil,
    unique: Bool = false,
    indexed: Bool = false,
    check: String? = nil,
    collation: ColumnCollation? = nil,
    sealed: SealedOptions? = nil
  ) -> RecordColumn where V.RawValue: StorableValue {
    let column = ColumnOptions(
      name: name,
      isUnique: unique,
      isIndexed: indexed,
      check: check,
      collation: collation
    )
    return make(path, .value, column, sealed, preset, { RawStored($0) }, { $0.wrapped })
  }

  /// Declares the column of an optional enum, stored by its raw value.
  @_disfavoredOverload
  @inlinable
  public static func column<V: RawRepresentable>(
    _ path: WritableKeyPath<R, V?>,
    _ name: String? = nil,
    default preset: V? = nil,
    unique: Bool = false,
    indexed: Bool = false,
    check: String? = nil,
    collation: ColumnCollation? = nil,
    sealed: SealedOptions? = nil
  ) -> RecordColumn where V.RawValue: StorableValue {
    let column = ColumnOptions(
      name: name,
      isUnique: unique,
      isIndexed: indexed,
      check: check,
      collation: collation
    )
    return make(path, .value, column, sealed, preset, { $0.map { RawStored($0) } }, { $0?.wrapped })
  }

  /// Makes a column with the closures that read and write its property.
  ///
  /// It is inlinable so that the closures, which run for every row, are compiled for the property's
  /// own type.
  @inlinable
  static func make<V, S: StorableValue>(
    _ path: WritableKeyPath<R, V>,
    _ role: Role,
    _ column: ColumnOptions,
    _ sealing: SealedOptions?,
    _ preset: V?,
    _ encode: @escaping (V) -> S,
    _ decode: @escaping (S) -> V
  ) -> RecordColumn {
    let bind: (R, any EngineStatement, Int32) throws -> Void
    if S.acceptsNull, let preset {
      bind = { record, statement, index in
        let value = encode(record[keyPath: path])
        let isNil = try value.storedValue == .null
        try (isNil ? encode(preset) : value).bind(to: statement, at: index)
      }
    } else {
      bind = { record, statement, index in
        try encode(record[keyPath: path]).bind(to: statement, at: index)
      }
    }
    return RecordColumn(
      path,
      stored: S.self,
      role,
      column,
      sealing,
      bind: bind,
      read: { record, statement, index in
        if !S.acceptsNull && statement.isNull(at: index) { return }
        record[keyPath: path] = decode(try S.read(from: statement, at: index))
      },
      get: { try encode($0[keyPath: path]).storedValue },
      set: { record, value in
        if !S.acceptsNull && value == .null { return }
        record[keyPath: path] = decode(try S(storedValue: value))
      },
      encode: { value in
        guard let value = value as? V else { throw ValueError.malformed(type: "\(V.self)") }
        return try encode(value).storedValue
      },
      decode: { decode(try S(storedValue: $0)) },
      preset: { try preset.map { try encode($0).storedValue } ?? .null }
    )
  }
}

extension RecordColumn: JSONFallback {}

extension JSONFallback {
  /// Declares the column of a Codable value, optional or not, stored as JSON.
  @_disfavoredOverload
  @inlinable
  public static func column<R, V: Codable>(
    _ path: WritableKeyPath<R, V>,
    _ name: String? = nil,
    default preset: V? = nil,
    unique: Bool = false,
    indexed: Bool = false,
    check: String? = nil,
    collation: ColumnCollation? = nil,
    sealed: SealedOptions? = nil
  ) -> RecordColumn<R> where Self == RecordColumn<R> {
    let column = ColumnOptions(
      name: name,
      isUnique: unique,
      isIndexed: indexed,
      check: check,
      collation: collation
    )
    return Self.make(path, .value, column, sealed, preset, { JSONStored($0) }, { $0.wrapped })
  }
}
