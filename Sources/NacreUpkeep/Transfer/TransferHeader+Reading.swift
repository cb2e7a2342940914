import Foundation
import NacreEngine
import NacreStore
import NacreCrypto

/// The members of a JSON object, each read as a required type.
struct JSONMembers {
  private let members: [String: JSONValue]
  /// A name for the object, for errors.
  private let place: String

  /// - Throws: ``ImportFault`` for anything but an object.
  init(_ value: JSONValue, _ place: String) throws {
    guard case .object(let members) = value else {
      throw ImportFault("\(place) is not an object")
    }
    self.members = members
    self.place = place
  }

  /// Whether there is a member of that name, whatever its value.
  func has(_ name: String) -> Bool { members[name] != nil }

  subscript(_ name: String) -> JSONValue? { members[name] }

  /// The names of all members.
  var names: [String] { Array(members.keys) }

  var count: Int { members.count }

  func string(_ name: String) throws -> String {
    guard case .string(let text)? = members[name] else { throw wrong(name, "a text") }
    return text
  }

  func optionalString(_ name: String) throws -> String? {
    members[name] == nil ? nil : try string(name)
  }

  func integer(_ name: String) throws -> Int64 {
    guard case .integer(let number)? = members[name] else { throw wrong(name, "an integer") }
    return number
  }

  func bool(_ name: String) throws -> Bool {
    guard case .bool(let value)? = members[name] else { throw wrong(name, "true or false") }
    return value
  }

  /// The objects of an array, each of which errors call `place`.
  func objects<T>(
    _ name: String,
    _ place: String,
    _ read: (JSONMembers) throws -> T
  ) throws -> [T] {
    guard case .array(let elements)? = members[name] else { throw wrong(name, "an array") }
    return try elements.map { try read(JSONMembers($0, place)) }
  }

  func uuid(_ name: String) throws -> UUID {
    guard let uuid = UUID(uuidString: try string(name)) else { throw wrong(name, "a UUID") }
    return uuid
  }

  private func wrong(_ name: String, _ expected: String) -> ImportFault {
    ImportFault(
      members[name] == nil ? "\(place) has no \"\(name)\"" : "\"\(name)\" is not \(expected)"
    )
  }
}

/// Why a line can't be imported; its error gets the line's number once that is known.
struct ImportFault: Error {
  var error: NacreError

  init(
    _ detail: String,
    _ code: NacreError.Code = .badImport,
    entity: String? = nil,
    property: String? = nil,
    objectID: UUID? = nil
  ) {
    error = NacreError(
      code,
      entity: entity,
      property: property,
      objectID: objectID,
      detail: detail
    )
  }

  /// The fault at a property of an object.
  func at(_ property: String, of entity: String, _ objectID: UUID) -> ImportFault {
    var fault = self
    fault.error.entity = entity
    fault.error.property = property
    fault.error.objectID = objectID
    return fault
  }
}

extension TransferHeader {
  /// - Throws: ``ImportFault``.
  init(_ value: JSONValue) throws {
    let members = try JSONMembers(value, "the first line")
    guard try members.string("nacre") == "export" else {
      throw ImportFault("the first line does not come from an export")
    }
    let version = try members.integer("version")
    guard version == TransferHeader.version else {
      throw ImportFault(
        "the lines have version \(version), and this version of Nacre knows "
          + "\(TransferHeader.version)"
      )
    }
    storeID = try members.string("storeID")
    isSealed = try members.bool("sealed")
    entities = try members.objects("entities", "an entity") { try TransferEntity($0) }
    joins = try members.objects("joins", "a relationship") { try TransferJoin($0) }
  }
}

extension TransferEntity {
  fileprivate init(_ members: JSONMembers) throws {
    name = try members.string("name")
    table = try members.string("table")
    version = try members.integer("version")
    columns = try members.objects("columns", "a column") { column in
      TransferSQL.Column(
        name: try column.string("name"),
        type: try column.string("type"),
        isNotNull: try column.bool("notnull"),
        // Other collations are unknown here: the column then compares as SQLite does.
        comparesDecimals: column["collation"] == .string(EngineCollation.decimals),
        preset: try column["default"].map { try TransferValue.plain($0) }
      )
    }
    indexes = try members.objects("indexes", "an index") { index in
      Index(column: try index.string("column"), isUnique: try index.bool("unique"))
    }
    properties = try members.objects("properties", "a property") { try CatalogProperty($0) }
  }
}

extension TransferJoin {
  fileprivate init(_ members: JSONMembers) throws {
    table = try members.string("table")
    owner = try members.string("owner")
    property = try members.string("property")
    child = try members.string("child")
    isOrdered = try members.bool("ordered")
  }
}

extension CatalogProperty {
  fileprivate init(_ members: JSONMembers) throws {
    self.init(
      name: try members.string("name"),
      type: try members.string("type"),
      kind: try members.string("kind")
    )
    column = try members.optionalString("column")
    target = try members.optionalString("target")
    join = try members.optionalString("join")
    inverse = try members.optionalString("inverse")
    sealing = try members["sealing"].map { try Sealing($0) }
    isOptional = members.has("optional") ? try members.bool("optional") : nil
    fullText = try members.optionalString("fullText").map { name in
      guard let tokenizer = Tokenizer(rawValue: name) else {
        throw ImportFault("a tokenizer is not known to this version")
      }
      return tokenizer
    }
  }
}

extension CatalogProperty.Sealing {
  fileprivate init(_ value: JSONValue) throws {
    let members = try JSONMembers(value, "a sealing")
    guard let padding = Padding(rawValue: try members.string("padding")) else {
      throw ImportFault("a padding is not known to this version")
    }
    self.init(form: SealedForm(hidesNil: try members.bool("hidesNil")))
    self.padding = padding
    isHooked = try members.bool("hooked")
    if members.has("suite") {
      let number = try members.integer("suite")
      guard let suite = UInt8(exactly: number).flatMap(Suite.init(rawValue:)) else {
        throw ImportFault("suite \(number) is not known to this version")
      }
      self.suite = suite
    }
    guard members.has("bits") else { return }
    let bits = try members.integer("bits")
    let isUnique = try members.bool("unique")
    guard let normalizer = Normalizer(rawValue: try members.string("normalizer")),
      (isUnique ? 64...256 : 1...256).contains(bits)
    else { throw ImportFault("a blind index is not known to this version") }
    form.index = .init(bits: Int(bits), normalizer: normalizer, isUnique: isUnique)
  }
}
