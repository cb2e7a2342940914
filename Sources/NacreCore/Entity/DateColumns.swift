public import Foundation
import NacreEngine
import NacreStore

// The calls that `@Entity` writes for a property that is marked `@Column(dates:)`, whose column
// holds the date in the form given there.

extension RowBinder {
  /// Binds a date in one of the forms that a column can have, or NULL.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the form can't hold the date.
  public func bind(date: Date?, as form: DateForm, at index: Int) throws {
    switch form {
    case .real: try bind(date, at: index)
    case .integer: try bind(date.map { IntegerDate($0) }, at: index)
    case .iso8601: try bind(date.map { ISO8601Date($0) }, at: index)
    }
  }

  /// Seals a date in one of the forms that a column can have, or nil.
  ///
  /// - Throws: ``NacreError`` when the form can't hold the date or it can't be sealed.
  public func seal(date: Date?, as form: DateForm, at index: Int) throws {
    switch form {
    case .real: try seal(date, at: index)
    case .integer: try seal(date.map { IntegerDate($0) }, at: index)
    case .iso8601: try seal(date.map { ISO8601Date($0) }, at: index)
    }
  }
}

extension RowReader {
  /// Reads a date in one of the forms that a column can have.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the column holds something else.
  public func read(dateAs form: DateForm, at index: Int) throws -> Date {
    switch form {
    case .real: return try read(at: index)
    case .integer: return try (read(at: index) as IntegerDate).date
    case .iso8601: return try (read(at: index) as ISO8601Date).date
    }
  }

  /// Reads a date in one of the forms that a column can have, or NULL.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch`` when the column holds something else.
  public func read(dateAs form: DateForm, at index: Int) throws -> Date? {
    if statement.isNull(at: column(index)) { return nil }
    return try read(dateAs: form, at: index) as Date
  }

  /// Opens a sealed date in one of the forms that a column can have.
  ///
  /// - Throws: ``NacreError`` when the envelope does not open or holds something else.
  public func open(dateAs form: DateForm, at index: Int) throws -> Date {
    switch form {
    case .real: return try open(at: index)
    case .integer: return try (open(at: index) as IntegerDate).date
    case .iso8601: return try (open(at: index) as ISO8601Date).date
    }
  }

  /// Opens a sealed date in one of the forms that a column can have, or nil.
  ///
  /// - Throws: ``NacreError`` when the envelope does not open or holds something else.
  public func open(dateAs form: DateForm, at index: Int) throws -> Date? {
    switch form {
    case .real: return try open(at: index)
    case .integer: return try (open(at: index) as IntegerDate?)?.date
    case .iso8601: return try (open(at: index) as ISO8601Date?)?.date
    }
  }
}

extension EntitySchemaBuilder {
  /// Adds a date, in the form that its column asks for.
  public mutating func add(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, Date>,
    column: ColumnOptions = .init(),
    sealed: SealedOptions? = nil
  ) {
    switch column.dates {
    case .real: addValue(name, path, column, sealed, { $0 }, { $0 })
    case .integer: addValue(name, path, column, sealed, { IntegerDate($0) }, { $0.date })
    case .iso8601: addValue(name, path, column, sealed, { ISO8601Date($0) }, { $0.date })
    }
  }

  /// Adds an optional date, in the form that its column asks for.
  public mutating func add(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, Date?>,
    column: ColumnOptions = .init(),
    sealed: SealedOptions? = nil
  ) {
    switch column.dates {
    case .real:
      addValue(name, path, column, sealed, { $0 }, { $0 })
    case .integer:
      addValue(name, path, column, sealed, { $0.map { IntegerDate($0) } }, { $0?.date })
    case .iso8601:
      addValue(name, path, column, sealed, { $0.map { ISO8601Date($0) } }, { $0?.date })
    }
  }
}
