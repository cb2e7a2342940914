public import Foundation
import NacreEngine
import NacreStore

extension AdoptionMapping {
  /// Reads a mapping from JSON, as ADOPT.md describes it.
  ///
  /// - Throws: ``NacreError`` with code `badMapping`.
  public init(json: Data) throws {
    do {
      let members = try JSONMembers(JSONReader.read(json), "the mapping")
      try members.allow("tables", "lists", "namespace")
      tables = try members.objects("tables", "a table") { try AdoptedTable($0) }
      lists =
        members.has("lists") ? try members.objects("lists", "a list") { try AdoptedList($0) } : []
      namespace = members.has("namespace") ? try members.uuid("namespace") : nil
    } catch let fault as ImportFault {
      throw NacreError(
        .badMapping,
        entity: fault.error.entity,
        property: fault.error.property,
        detail: fault.error.detail
      )
    } catch let failure as JSONReader.Failure {
      throw NacreError(.badMapping, detail: "byte \(failure.byte): \(failure.reason)")
    }
  }
}

extension AdoptedTable {
  fileprivate init(_ members: JSONMembers) throws {
    try members.allow("table", "entity", "record", "key", "keys", "properties", "only")
    name = try members.string("table")
    guard members.has("entity") != members.has("record") else {
      throw ImportFault("the table \(name) becomes one entity or one record")
    }
    if members.has("entity") {
      target = .entity(try members.string("entity"))
    } else {
      target = .record(try members.string("record"))
    }
    let form = try members.keyForm()
    key = members.has("key") ? AdoptedKey(try members.strings("key"), form: form ?? .derived) : nil
    if key == nil, form != nil { throw ImportFault("\"keys\" of the table \(name) has no \"key\"") }
    let values = try JSONMembers(members["properties"] ?? .null, "\"properties\" of \(name)")
    properties = [:]
    for property in values.names {
      guard let value = values[property] else { continue }
      properties[property] = try AdoptedValue(value, of: property)
    }
    only = [:]
    guard members.has("only") else { return }
    let conditions = try JSONMembers(members["only"] ?? .null, "\"only\" of \(name)")
    for column in conditions.names {
      guard let value = conditions[column] else { continue }
      only[column] = try Value(constant: value)
    }
  }
}

extension AdoptedList {
  fileprivate init(_ members: JSONMembers) throws {
    try members.allow("table", "entity", "property", "owner", "child", "position")
    name = try members.string("table")
    entity = try members.string("entity")
    property = try members.string("property")
    owner = try End(members["owner"], "owner")
    child = try End(members["child"], "child")
    position = try members.optionalString("position")
  }
}

extension AdoptedList.End {
  fileprivate init(_ json: JSONValue?, _ name: String) throws {
    if case .string(let column)? = json {
      self.init(columns: [column])
      return
    }
    let members = try JSONMembers(json ?? .null, "\"\(name)\" of a list")
    try members.allow("column", "table", "keys")
    self.init(
      columns: try members.strings("column"),
      table: try members.optionalString("table"),
      keys: try members.keyForm()
    )
  }
}

extension AdoptedValue {
  fileprivate init(_ json: JSONValue, of property: String) throws {
    if case .string(let column) = json {
      self.init(columns: [column])
      return
    }
    let members = try JSONMembers(json, "the value of \(property)")
    try members.allow("column", "as", "default", "table", "keys", "position")
    var form: AdoptedForm?
    if members.has("as") {
      form = AdoptedForm(rawValue: try members.string("as"))
      if form == nil { throw ImportFault("\"as\" of \(property) is no known form") }
    }
    self.init(
      columns: members.has("column") ? try members.strings("column") : [],
      form: form,
      preset: try members["default"].map { try Value(constant: $0) },
      table: try members.optionalString("table"),
      keys: try members.keyForm(),
      position: try members.optionalString("position")
    )
  }
}

extension Value {
  /// Reads a value of a mapping; true and false are 1 and 0.
  fileprivate init(constant json: JSONValue) throws {
    if case .bool(let value) = json {
      self = .integer(value ? 1 : 0)
    } else {
      self = try TransferValue.plain(json)
    }
  }
}

extension JSONMembers {
  /// - Throws: ``ImportFault`` for a member with another name.
  fileprivate func allow(_ known: String...) throws {
    guard let unknown = names.filter({ !known.contains($0) }).min() else { return }
    throw ImportFault("a mapping has no \"\(unknown)\" here")
  }

  /// A text, or several in an array.
  fileprivate func strings(_ name: String) throws -> [String] {
    guard case .array(let elements)? = self[name] else { return [try string(name)] }
    return try elements.map { element in
      guard case .string(let text) = element else {
        throw ImportFault("\"\(name)\" has to be the name of a column, or an array of names")
      }
      return text
    }
  }

  /// The form of keys; nil if there is none.
  fileprivate func keyForm() throws -> AdoptedKey.Form? {
    guard let name = try optionalString("keys") else { return nil }
    guard let form = AdoptedKey.Form(rawValue: name) else {
      throw ImportFault("\"keys\" is uuid or derived")
    }
    return form
  }
}
