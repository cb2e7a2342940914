import NacreCore
import NacreEngine
import NacreStore

/// A property of a record and the column in which it is stored.
///
/// It is a class, like `Property`, because a copy of a struct would retain each closure at every
/// row.
public final class RecordColumn<R: Record>: @unchecked Sendable {
  // Sendable holds: all properties are constants, and the closures capture only a key path of a
  // stored property and a default.

  /// The column's role in its table.
  @usableFromInline
  enum Role {
    /// A value.
    case value
    /// The primary key, or a part of it, which the application sets.
    case key
    /// The primary key, which the database generates for a record without one.
    case generatedKey
  }

  let path: PartialKeyPath<R>
  let role: Role
  private let options: ColumnOptions
  /// How the values are sealed; nil if they are not.
  private let sealing: SealedOptions?

  // The closures that read and write the property, whatever its type.

  /// Binds the property, or the column's default if the property is nil.
  let bind: (R, any EngineStatement, Int32) throws -> Void
  /// Reads the property; NULL leaves a property that can't be nil as it is.
  let read: (inout R, any EngineStatement, Int32) throws -> Void
  /// Returns the property's stored form.
  let get: (R) throws -> Value
  /// Sets the property; NULL leaves a property that can't be nil as it is.
  let set: (inout R, Value) throws -> Void
  /// Returns the stored form of a value of the property's type.
  private let encode: (Any) throws -> Value
  private let decode: (Value) throws -> Any?
  /// Returns the stored form of the column's default; NULL if it has none.
  let preset: () throws -> Value
  private let form: ValueForm

  @usableFromInline
  init<V, S: StorableValue>(
    _ path: WritableKeyPath<R, V>,
    stored: S.Type,
    _ role: Role,
    _ options: ColumnOptions,
    _ sealing: SealedOptions?,
    bind: @escaping (R, any EngineStatement, Int32) throws -> Void,
    read: @escaping (inout R, any EngineStatement, Int32) throws -> Void,
    get: @escaping (R) throws -> Value,
    set: @escaping (inout R, Value) throws -> Void,
    encode: @escaping (Any) throws -> Value,
    decode: @escaping (Value) throws -> Any?,
    preset: @escaping () throws -> Value
  ) {
    self.path = path
    self.role = role
    self.options = options
    self.sealing = sealing
    self.bind = bind
    self.read = read
    self.get = get
    self.set = set
    self.encode = encode
    self.decode = decode
    self.preset = preset
    form = ValueForm(V.self, storedAs: S.self)
  }

  /// The column's name: the declared one, or else the property's.
  ///
  /// - Throws: ``NacreError/Code/badDeclaration`` if the key path does not show its property's
  ///   name.
  var name: String {
    get throws {
      if let name = options.name { return name }
      let text = "\(path)"
      let name = text.split(separator: ".", maxSplits: 1).last.map(String.init) ?? ""
      let isName = name.first.map { $0.isLetter || $0 == "_" } ?? false
      guard text.hasPrefix("\\"), isName,
        name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
      else {
        throw NacreError(
          .badDeclaration,
          entity: R.tableName,
          detail: "a key path to \(type(of: path).valueType) does not tell the column's name; "
            + "give the name after the key path"
        )
      }
      return name
    }
  }

  /// Returns the column as a `Property`, for the code that entities and records share.
  func property(at index: Int) throws -> Property {
    let get = get
    let preset = try NacreError.wrapping { try self.preset() }
    var options = options
    options.defaultValue = preset == .null ? nil : preset
    return Property(
      try name,
      at: index,
      path,
      options,
      form: form,
      isKey: role != .value,
      sealing: sealing,
      initial: { try get(R()) },
      encode: encode,
      decode: decode
    )
  }
}
